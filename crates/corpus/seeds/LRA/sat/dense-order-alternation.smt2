; The reals are dense and unbounded; for every x a y beyond it and a z before that
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LRA)
(set-info :status sat)
(declare-const a Real)
(declare-const b Real)
(assert (forall ((x Real)) (exists ((y Real)) (forall ((z Real)) (=> (< z x) (< z y))))))
(assert (> a b))
(check-sat)
