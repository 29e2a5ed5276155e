; Literals that no float holds; but tiny
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (* 3.0 x) 1.0))
(assert (= y (- x 0.3333333333333333)))
(assert (< 0.0 (* 30000000000000000.0 y) 1.1))
(check-sat)
