; Even and odd halves; an odd sum of even parts
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 2 x) (* 4 y)) (ite (> x y) 7 6)))
(assert (> x y))
(check-sat)
