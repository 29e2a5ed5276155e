; A function on reals squeezed by bounds; equal arguments
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFLRA)
(set-info :status unsat)
(declare-fun g (Real) Real)
(declare-const x Real)
(declare-const y Real)
(assert (<= x y))
(assert (<= y x))
(assert (< (g x) (g y)))
(check-sat)
