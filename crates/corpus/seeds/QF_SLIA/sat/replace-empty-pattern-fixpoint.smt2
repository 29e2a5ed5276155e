; The empty pattern is found at the front; prepending changes nothing only for the empty text
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const t String)
(assert (= (str.replace x "" t) x))
(assert (str.in_re t (re.* (str.to_re "q"))))
(assert (> (str.len x) 2))
(check-sat)
