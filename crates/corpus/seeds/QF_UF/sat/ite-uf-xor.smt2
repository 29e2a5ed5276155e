; Conditional arguments; parity of conditions
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun f (U U) U)
(declare-const a U)
(declare-const b U)
(declare-const p Bool)
(assert (distinct (f (ite (xor p true) a b) a) (f (ite p a b) a)))
(assert (= (f a a) (f (f b a) a)))
(check-sat)
