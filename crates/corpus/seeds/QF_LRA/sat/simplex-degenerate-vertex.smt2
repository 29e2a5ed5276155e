; A vertex where four planes meet; exactly at a vertex
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (and (>= x 0.0) (>= y 0.0) (>= z 0.0) (<= (+ x y z) 1.0)))
(assert (>= (+ (* 2.0 x) (* 2.0 y) (* 3.0 z)) 3.0))
(check-sat)
