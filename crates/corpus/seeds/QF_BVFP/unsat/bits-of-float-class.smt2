; to_fp from bits, fields read with extract; exponent field zero is subnormal or zero
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const b (_ BitVec 16))
(define-fun f () (_ FloatingPoint 5 11) ((_ to_fp 5 11) b))
(assert (= ((_ extract 14 10) b) #b00000))
(assert (not (or (fp.isSubnormal f) (fp.isZero f))))
(check-sat)
