; A square root as an uninterpreted function; no root of a negative number
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFNRA)
(set-info :status unsat)
(declare-fun root (Real) Real)
(declare-const x Real)
(assert (= (* (root x) (root x)) x))
(assert (>= (root x) 0.0))
(assert (< x 0.0))
(check-sat)
