; Arithmetic and geometric mean; off the diagonal by a factor of two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (and (> x 0.0) (> y 0.0)))
(assert (= (* 8.0 (+ x y) (+ x y)) (* 36.0 x y)))
(check-sat)
