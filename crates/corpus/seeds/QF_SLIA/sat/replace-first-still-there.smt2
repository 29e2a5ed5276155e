; str.replace touches the first occurrence only; and may still contain the pattern
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= y (str.replace x "ab" "b")))
(assert (distinct x y))
(assert (str.contains y "ab"))
(assert (< (str.len x) 6))
(check-sat)
