; A product in integers and in bits; sixteen lost once
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(define-fun p () Int (* (ubv_to_int x) (ubv_to_int y)))
(assert (= (- p (ubv_to_int (bvmul x y))) 16))
(assert (= x #x5))
(check-sat)
