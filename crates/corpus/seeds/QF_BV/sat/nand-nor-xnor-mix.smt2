; The derived gates bvnand, bvnor, bvxnor; a fixpoint through three gates
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const p (_ BitVec 3))
(declare-const q (_ BitVec 3))
(declare-const r (_ BitVec 3))
(define-fun x1 () (_ BitVec 3) (bvnand (bvnand p (bvnand p q)) (bvnand q (bvnand p q))))
(assert (= r (bvnor (bvxnor p r) (bvnand q r))))
(assert (distinct p q r))
(check-sat)
