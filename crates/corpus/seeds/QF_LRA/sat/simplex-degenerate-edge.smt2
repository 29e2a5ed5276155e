; A vertex where four planes meet; on an edge
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (and (>= x 0.0) (>= y 0.0) (>= z 0.0) (<= (+ x y z) 1.0)))
(assert (= (+ x (* 2.0 y)) (+ z (/ 1 3))))
(assert (distinct x y z))
(check-sat)
