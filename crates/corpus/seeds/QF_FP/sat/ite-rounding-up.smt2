; A rounding mode chosen by a condition; going up
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const up Bool)
(define-fun m () RoundingMode (ite up roundTowardPositive roundTowardNegative))
(assert (fp.leq x (fp.roundToIntegral m x)))
(assert (fp.lt x (fp.roundToIntegral roundNearestTiesToEven x)))
(assert (fp.isNegative x))
(check-sat)
