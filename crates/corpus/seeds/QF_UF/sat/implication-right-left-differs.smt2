; => associates to the right; (p => q) => r is something else
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (distinct (=> p q r) (=> (=> p q) r)))
(check-sat)
