; The constant pi; is above three
; WHY: pi = 3.14…
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(assert (= x real.pi))
(assert (< x 3.0))
(check-sat)
