; The sine is bounded; sine and cosine of zero
; WHY: sin 0 = 0
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (= x 0.0))
(assert (distinct (sin x) 0.0))
(check-sat)
