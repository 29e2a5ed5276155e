; Division by an expression; a proper fraction grows when both parts do
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (> y x 0.0))
(assert (>= (/ x y) (/ (+ x 1.0) (+ y 1.0))))
(check-sat)
