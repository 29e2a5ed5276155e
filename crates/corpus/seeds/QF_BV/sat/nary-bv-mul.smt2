; n-ary bit-vector operators; a product of three that is one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(assert (= (bvmul a b c) (bvand a b c) #x1))
(assert (distinct a b c))
(check-sat)
