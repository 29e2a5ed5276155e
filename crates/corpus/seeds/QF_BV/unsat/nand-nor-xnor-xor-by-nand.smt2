; The derived gates bvnand, bvnor, bvxnor; four nands make an xor
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p (_ BitVec 3))
(declare-const q (_ BitVec 3))
(declare-const r (_ BitVec 3))
(define-fun x1 () (_ BitVec 3) (bvnand (bvnand p (bvnand p q)) (bvnand q (bvnand p q))))
(assert (distinct (bvnot x1) (bvxnor p q)))
(check-sat)
