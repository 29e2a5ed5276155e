; A rounding mode chosen by a condition; going down only stays put on integral values
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const up Bool)
(define-fun m () RoundingMode (ite up roundTowardPositive roundTowardNegative))
(assert (fp.leq x (fp.roundToIntegral m x)))
(assert (not up))
(assert (not (fp.eq x (fp.roundToIntegral roundNearestTiesToAway x))))
(check-sat)
