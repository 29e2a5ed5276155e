; Nested conditionals as a step function; the ladder never goes down
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(define-fun step ((v Int)) Int (ite (< v 0) (- 1) (ite (= v 0) 0 (ite (< v 10) 1 (ite (< v 100) 2 3)))))
(declare-const y Int)
(assert (< x y))
(assert (> (step x) (step y)))
(check-sat)
