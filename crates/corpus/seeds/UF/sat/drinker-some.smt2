; The drinker's paradox; some do and some do not
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UF)
(set-info :status sat)
(declare-sort P 0)
(declare-fun drinks (P) Bool)
(assert (exists ((x P)) (drinks x)))
(assert (not (forall ((x P)) (drinks x))))
(check-sat)
