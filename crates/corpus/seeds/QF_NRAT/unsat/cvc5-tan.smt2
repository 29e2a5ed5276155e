; Tangent at zero
; WHY: tan 0 = 0, which is below a half
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (= x 0.0))
(assert (> (tan x) 0.5))
(check-sat)
