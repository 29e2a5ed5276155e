; Quantifiers over an enumeration with a relation; a path
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-datatype C ((r) (g) (b)))
(declare-fun adj (C C) Bool)
(assert (forall ((x C)) (not (adj x x))))
(assert (forall ((x C) (y C)) (= (adj x y) (adj y x))))
(assert (adj r g))
(assert (adj g b))
(assert (not (forall ((x C) (y C)) (=> (distinct x y) (adj x y)))))
(check-sat)
