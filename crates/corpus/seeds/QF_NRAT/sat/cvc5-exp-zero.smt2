; The exponential at zero is one
; WHY: exp 0 = 1, so y = 3
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status sat)
(declare-const y Real)
(assert (= (+ (exp 0.0) y) 4.0))
(assert (> (* y y) 8.0))
(check-sat)
