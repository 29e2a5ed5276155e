; A line meets the unit circle; a rational point
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= (* 3.0 x) (* 4.0 y)))
(assert (distinct x (/ 4 5)))
(check-sat)
