; Lowest set bit, its mask and the bits above; next number with the same low block
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(define-fun low () (_ BitVec 16) (bvand x (bvneg x)))
(assert (distinct x #x0000))
(assert (= (bvadd x low) #xa500))
(assert (= (bvudiv x low) #x2927))
(check-sat)
