; Subnormal numbers and the gap around zero; a product of two is zero or the smallest, by rounding mode
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 5 11))
(declare-const y (_ FloatingPoint 5 11))
(assert (and (fp.isSubnormal x) (fp.isSubnormal y)))
(assert (not (fp.isZero (fp.mul RTZ x y))))
(check-sat)
