; re.loop and its corner cases; an inverted range is empty
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 4 2) (re.range "a" "z"))))
(check-sat)
