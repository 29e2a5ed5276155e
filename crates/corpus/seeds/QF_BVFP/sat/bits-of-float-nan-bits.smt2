; to_fp from bits, fields read with extract; 2046 patterns of NaN, one value
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const b (_ BitVec 16))
(define-fun f () (_ FloatingPoint 5 11) ((_ to_fp 5 11) b))
(declare-const c (_ BitVec 16))
(assert (bvult b c))
(assert (and (fp.isNaN f) (= f ((_ to_fp 5 11) c))))
(assert (= (bvxor b c) #x8000))
(check-sat)
