; The empty pattern is found at the front; str.replace_all with it changes nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(declare-const t String)
(assert (distinct (str.replace_all x "" t) x))
(check-sat)
