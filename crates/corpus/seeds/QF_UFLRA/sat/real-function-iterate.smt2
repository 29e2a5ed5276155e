; A function on reals squeezed by bounds; iterates may differ
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFLRA)
(set-info :status sat)
(declare-fun g (Real) Real)
(declare-const x Real)
(declare-const y Real)
(assert (<= x y))
(assert (<= y x))
(assert (= (g (g x)) (+ y 1.0)))
(assert (= (g (g (g x))) (- (g y) 1.0)))
(check-sat)
