; str.to_int takes digits only; str.from_int gives the canonical spelling
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.to_int x) 42))
(assert (distinct x (str.from_int 42)))
(assert (<= (str.len x) 2))
(check-sat)
