; Rounding to an integral value twice; away from zero at one half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (fp.gt (fp.abs (fp.roundToIntegral m x)) (fp.abs x)))
(assert (= m RNA))
(check-sat)
