; xa = bx style equations; abx = xba
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ "ab" x) (str.++ x "ba")))
(assert (> (str.len x) 2))
(check-sat)
