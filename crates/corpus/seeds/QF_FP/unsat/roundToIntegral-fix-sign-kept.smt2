; Rounding to an integral value twice; even when the result is zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (fp.isZero (fp.roundToIntegral m x)))
(assert (fp.isNegative x))
(assert (distinct (fp.roundToIntegral m x) (_ -zero 8 24)))
(check-sat)
