; The reals are dense and unbounded; no largest number below b
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(assert (exists ((m Real)) (and (< m b) (forall ((x Real)) (=> (< x b) (<= x m))))))
(check-sat)
