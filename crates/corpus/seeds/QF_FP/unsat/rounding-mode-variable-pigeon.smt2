; A rounding mode as an unknown; six different modes
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const m RoundingMode)
(declare-const n RoundingMode)
(declare-const x Float32)
(assert (fp.lt (fp.roundToIntegral m x) (fp.roundToIntegral n x)))
(declare-const a RoundingMode)
(declare-const b RoundingMode)
(declare-const c RoundingMode)
(declare-const d RoundingMode)
(assert (distinct a b c d m n))
(check-sat)
