; A rounding mode as an unknown; neither can be RTP on the left
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const m RoundingMode)
(declare-const n RoundingMode)
(declare-const x Float32)
(assert (fp.lt (fp.roundToIntegral m x) (fp.roundToIntegral n x)))
(assert (= m RTP))
(check-sat)
