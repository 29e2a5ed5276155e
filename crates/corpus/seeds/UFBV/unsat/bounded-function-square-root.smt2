; A function on two bits described by quantifiers; no function squares to the successor
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic UFBV)
(set-info :status unsat)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(assert (forall ((x (_ BitVec 2))) (= (f (f x)) (bvadd x #b01))))
(check-sat)
