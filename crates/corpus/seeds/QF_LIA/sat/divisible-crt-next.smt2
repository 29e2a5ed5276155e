; A Chinese remainder puzzle with the standard's divisible (z3 lacks it); the next one
; WHY: n = 23 + 210 = 233 is odd
; CONFIRMED: cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const n Int)
(assert ((_ divisible 3) (- n 2)))
(assert ((_ divisible 5) (- n 3)))
(assert ((_ divisible 7) (- n 2)))
(assert (> n 100))
(assert (not ((_ divisible 2) n)))
(assert (< n 400))
(check-sat)
