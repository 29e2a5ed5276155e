; The exponential; is never negative
; WHY: exp is positive everywhere
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (< (exp x) 0.0))
(check-sat)
