; Factorisation; 211 has no factors
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const p Int)
(declare-const q Int)
(assert (< 1 p q))
(assert (= (* p q) 211))
(check-sat)
