; A relation that is total and functional; a swap of two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun r (U U) Bool)
(assert (forall ((x U)) (exists ((y U)) (r x y))))
(assert (forall ((x U) (y U) (z U)) (=> (and (r x y) (r x z)) (= y z))))
(assert (forall ((x U) (y U)) (= (r x y) (r y x))))
(assert (exists ((x U)) (not (r x x))))
(check-sat)
