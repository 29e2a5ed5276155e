; Subnormal numbers and the gap around zero; differences of subnormals are exact, hence never zero for different numbers
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 5 11))
(declare-const y (_ FloatingPoint 5 11))
(assert (and (fp.isSubnormal x) (fp.isSubnormal y)))
(assert (fp.isZero (fp.sub RNE x y)))
(assert (not (fp.eq x y)))
(check-sat)
