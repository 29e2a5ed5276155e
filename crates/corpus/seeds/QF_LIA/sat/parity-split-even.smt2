; Even and odd halves; the other branch
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 2 x) (* 4 y)) (ite (> x y) 7 6)))
(assert (>= (abs (- x y)) 2))
(check-sat)
