; Conditional arguments; also with a repeated argument
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (U U) U)
(declare-const a U)
(declare-const b U)
(declare-const p Bool)
(assert (distinct (f (ite p a b) (ite p a b)) (ite p (f a b) (f b b))))
(assert (= (f a a) (f a b)))
(check-sat)
