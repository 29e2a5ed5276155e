; Where the logic has no integers, a numeral is a real.
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (* x x) 2))
(assert (< (/ 1 3) x (+ 1 2.5)))
(assert (= x (ite (> x 0) 1 (- 2))))
(check-sat)
