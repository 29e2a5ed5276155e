; Literals that no float holds; the difference is not zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= (* 3.0 x) 1.0))
(assert (= y (- x 0.3333333333333333)))
(assert (= y 0.0))
(check-sat)
