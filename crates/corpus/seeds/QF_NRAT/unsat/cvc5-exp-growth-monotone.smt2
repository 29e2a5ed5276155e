; The exponential; and monotone
; WHY: x < y gives exp x < exp y
; CONFIRMED: cvc5@1.4.2
(set-logic QF_NRAT)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (< x y))
(assert (> (exp x) (exp y)))
(check-sat)
