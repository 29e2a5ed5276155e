; Factorisation; 143 = 11 * 13
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const p Int)
(declare-const q Int)
(assert (< 1 p q))
(assert (= (* p q) 143))
(check-sat)
