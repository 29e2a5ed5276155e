; A function on an enumeration is a table; otherwise it may stay
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Day ((mon) (tue) (wed)))
(declare-fun next (Day) Day)
(assert (= (next mon) tue))
(assert (= (next tue) wed))
(assert (= (next wed) (next (next mon))))
(check-sat)
