; Instances that need a chain of triggers; nothing for another start
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UFLIA)
(set-info :status sat)
(declare-fun p (Int) Bool)
(declare-fun next (Int) Int)
(assert (forall ((x Int)) (! (=> (p x) (p (next x))) :pattern ((next x)))))
(assert (p 0))
(assert (= (next 1) 2))
(assert (not (p (next 1))))
(check-sat)
