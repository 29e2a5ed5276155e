; Functions and bit-vectors; different low bits
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFBV)
(set-info :status sat)
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvand x #xf0) (bvand y #xf0)))
(assert (= (bvsub (f x) (f y)) (bvsub x y) #x05))
(assert (bvult (f x) x))
(check-sat)
