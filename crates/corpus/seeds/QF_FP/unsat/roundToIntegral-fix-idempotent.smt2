; Rounding to an integral value twice; the second time does nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (not (fp.isNaN x)))
(assert (not (fp.eq (fp.roundToIntegral RNE (fp.roundToIntegral m x)) (fp.roundToIntegral m x))))
(check-sat)
