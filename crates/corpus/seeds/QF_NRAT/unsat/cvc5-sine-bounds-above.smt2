; The sine is bounded; never above one
; WHY: sine never exceeds 1
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (> (sin x) 1.5))
(check-sat)
