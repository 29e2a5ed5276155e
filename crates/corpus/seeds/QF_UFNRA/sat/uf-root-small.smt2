; A square root as an uninterpreted function; a root larger than its square
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFNRA)
(set-info :status sat)
(declare-fun root (Real) Real)
(declare-const x Real)
(assert (= (* (root x) (root x)) x))
(assert (>= (root x) 0.0))
(assert (> (root x) (* 2.0 x)))
(assert (> x 0.0))
(check-sat)
