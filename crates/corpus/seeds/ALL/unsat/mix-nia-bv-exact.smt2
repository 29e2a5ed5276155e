; A product in integers and in bits; equal when it does not overflow
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(define-fun p () Int (* (ubv_to_int x) (ubv_to_int y)))
(assert (not (bvumulo x y)))
(assert (bvult x #x3))
(assert (distinct p (ubv_to_int (bvmul x y))))
(check-sat)
