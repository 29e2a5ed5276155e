; The constant pi; its sine is zero
; WHY: sin pi = 0
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (= x real.pi))
(assert (distinct (sin x) 0.0))
(check-sat)
