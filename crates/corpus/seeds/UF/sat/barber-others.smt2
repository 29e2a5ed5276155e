; Russell's barber; the others only
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UF)
(set-info :status sat)
(declare-sort P 0)
(declare-fun shaves (P P) Bool)
(declare-const b P)
(assert (forall ((x P)) (=> (distinct x b) (= (shaves b x) (not (shaves x x))))))
(assert (exists ((x P)) (shaves b x)))
(check-sat)
