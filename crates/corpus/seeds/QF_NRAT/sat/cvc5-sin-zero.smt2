; Sine at zero is zero
; WHY: sin 0 = 0 < 1, and x = 0
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= x 0.0))
(assert (= (+ (sin x) y) 1.0))
(check-sat)
