; Russell's barber; shaves exactly those who do not shave themselves
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status unsat)
(declare-sort P 0)
(declare-fun shaves (P P) Bool)
(declare-const b P)
(assert (forall ((x P)) (= (shaves b x) (not (shaves x x)))))
(check-sat)
