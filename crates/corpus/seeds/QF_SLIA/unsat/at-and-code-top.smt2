; Characters and their code points; there is nothing after the last code point
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const c String)
(declare-const d String)
(assert (= (str.to_code d) (+ 1 (str.to_code c))))
(assert (= (str.to_code c) 196607))
(check-sat)
