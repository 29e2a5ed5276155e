; Overflow and infinity; RNE does
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 4 4))
(assert (not (fp.isInfinite x)))
(assert (fp.isInfinite (fp.add RNE x x)))
(assert (fp.isNegative x))
(assert (not (fp.isInfinite (fp.mul RTP x ((_ to_fp 4 4) RNE 2.0)))))
(check-sat)
