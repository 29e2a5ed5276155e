; Division by an expression; the golden ratio
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (> y x 0.0))
(assert (= (/ y x) (/ (+ x y) y)))
(assert (< y 2.0))
(check-sat)
