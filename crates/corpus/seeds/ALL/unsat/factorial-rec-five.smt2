; A recursive function on integers with a measure; 5! is 120
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec fact ((n Int)) Int (ite (<= n 0) 1 (* n (fact (- n 1)))))
(declare-const n Int)
(assert (distinct (fact 5) 120))
(check-sat)
