; re.range with bad arguments is empty; arguments must be single characters
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.opt (re.range "aa" "z"))))
(assert (distinct x ""))
(check-sat)
