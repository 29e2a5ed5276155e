; Cosine at pi
; WHY: cos pi = -1
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(assert (distinct (cos real.pi) (- 1.0)))
(check-sat)
