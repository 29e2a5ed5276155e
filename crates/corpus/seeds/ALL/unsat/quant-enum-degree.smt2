; Quantifiers over an enumeration with a relation; a graph on three nodes where all have degree one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status unsat)
(declare-datatype C ((r) (g) (b)))
(declare-fun adj (C C) Bool)
(assert (forall ((x C)) (not (adj x x))))
(assert (forall ((x C) (y C)) (= (adj x y) (adj y x))))
(assert (forall ((x C)) (exists ((y C)) (and (adj x y) (forall ((z C)) (=> (adj x z) (= z y)))))))
(check-sat)
