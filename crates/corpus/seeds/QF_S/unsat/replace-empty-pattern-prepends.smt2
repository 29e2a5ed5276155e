; The empty pattern is found at the front; replacing it prepends
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(declare-const t String)
(assert (distinct (str.replace x "" t) (str.++ t x)))
(check-sat)
