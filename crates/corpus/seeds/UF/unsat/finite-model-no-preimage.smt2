; Small models forced by axioms; injective, never z, in a domain of at most two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun s (U) U)
(declare-const z U)
(assert (forall ((x U) (y U)) (=> (= (s x) (s y)) (= x y))))
(assert (forall ((x U)) (distinct (s x) z)))
(assert (exists ((a U) (b U)) (forall ((x U)) (or (= x a) (= x b)))))
(check-sat)
