; Bits of a float compared as integers; the order is reversed below zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const b (_ BitVec 32))
(declare-const c (_ BitVec 32))
(define-fun f () Float32 ((_ to_fp 8 24) b))
(define-fun g () Float32 ((_ to_fp 8 24) c))
(assert (= c (bvadd b #x00000001)))
(assert (fp.lt g f))
(assert (fp.isSubnormal f))
(check-sat)
