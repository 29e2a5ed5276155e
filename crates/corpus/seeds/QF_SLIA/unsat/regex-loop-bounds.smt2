; re.loop and its corner cases; between two and four
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 2 4) (str.to_re "ab"))))
(assert (or (< (str.len x) 4) (> (str.len x) 8)))
(check-sat)
