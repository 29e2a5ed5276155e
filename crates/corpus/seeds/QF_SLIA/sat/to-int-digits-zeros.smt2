; str.to_int takes digits only; leading zeros are fine
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_int x) 42))
(assert (= (str.len x) 5))
(check-sat)
