; => associates to the right; ite over Booleans as a multiplexer
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status unsat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (distinct (ite p q r) (and (or (not p) q) (or p r))))
(check-sat)
