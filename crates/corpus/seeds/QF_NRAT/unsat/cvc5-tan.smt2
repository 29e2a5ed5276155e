; Tangent at a quarter of pi
; WHY: tan (pi / 4) = 1, but tan 0 = 0
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (= x 0.0))
(assert (> (tan x) 0.5))
(check-sat)
