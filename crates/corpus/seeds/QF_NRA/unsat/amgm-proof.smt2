; Arithmetic and geometric mean; the inequality
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (and (> x 0.0) (> y 0.0)))
(assert (< (* (+ x y) (+ x y)) (* 4.0 x y)))
(check-sat)
