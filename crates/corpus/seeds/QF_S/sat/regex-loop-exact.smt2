; re.loop and its corner cases; three of a union
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 3) (re.union (str.to_re "a") (str.to_re "bc")))))
(assert (= (str.len x) 5))
(check-sat)
