; Instances that need a chain of triggers; three steps
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun p (Int) Bool)
(declare-fun next (Int) Int)
(assert (forall ((x Int)) (! (=> (p x) (p (next x))) :pattern ((next x)))))
(assert (p 0))
(assert (not (p (next (next (next 0))))))
(check-sat)
