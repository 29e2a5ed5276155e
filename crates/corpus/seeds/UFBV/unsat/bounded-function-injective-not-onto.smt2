; A function on two bits described by quantifiers; impossible on a finite set
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UFBV)
(set-info :status unsat)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (= (f x) (f y)) (= x y))))
(assert (forall ((x (_ BitVec 2))) (distinct (f x) #b11)))
(check-sat)
