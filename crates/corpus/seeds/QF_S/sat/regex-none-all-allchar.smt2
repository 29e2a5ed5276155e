; re.none, re.all, re.allchar; one character that is no letter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.diff re.allchar (re.union (re.range "a" "z") (re.range "A" "Z")))))
(assert (str.< "Z" x))
(assert (str.< x "a"))
(check-sat)
