; A recursive function on integers with a measure; one step
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+fmf-fun
(set-logic ALL)
(set-info :status sat)
(define-fun-rec fact ((n Int)) Int (ite (<= n 0) 1 (* n (fact (- n 1)))))
(declare-const n Int)
(assert (= n (fact 3)))
(assert (= (+ n 1) 7))
(check-sat)
