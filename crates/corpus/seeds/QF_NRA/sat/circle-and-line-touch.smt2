; A line meets the unit circle; touches at an irrational point
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= x y))
(assert (> x 0.0))
(check-sat)
