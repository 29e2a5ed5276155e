; A function on two bits described by quantifiers; a permutation without fixpoints that is its own inverse
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UFBV)
(set-info :status sat)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(assert (forall ((x (_ BitVec 2))) (and (= (f (f x)) x) (distinct (f x) x))))
(assert (= (f #b00) #b10))
(check-sat)
