; Subnormal numbers and the gap around zero; a sum may be normal again
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 5 11))
(declare-const y (_ FloatingPoint 5 11))
(assert (and (fp.isSubnormal x) (fp.isSubnormal y)))
(assert (fp.isNormal (fp.add RNE x y)))
(assert (fp.lt x y))
(check-sat)
