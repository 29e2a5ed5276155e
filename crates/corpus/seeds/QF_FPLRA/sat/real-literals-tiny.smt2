; Decimal and rational literals rounded five ways; a positive literal that rounds to zero in one mode only
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FPLRA)
(set-info :status sat)
(declare-const x (_ FloatingPoint 5 11))
(assert (= x ((_ to_fp 5 11) RTP 0.00000000001)))
(assert (fp.isZero ((_ to_fp 5 11) RNE 0.00000000001)))
(assert (fp.isSubnormal x))
(check-sat)
