; A rounding mode as an unknown; on a negative number toward zero goes up
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const m RoundingMode)
(declare-const n RoundingMode)
(declare-const x Float32)
(assert (fp.lt (fp.roundToIntegral m x) (fp.roundToIntegral n x)))
(assert (= n RTZ))
(assert (distinct m RTN))
(check-sat)
