; xa = bx style equations; ax = xb
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ "a" x) (str.++ x "b")))
(check-sat)
