; A doubled quote is one character; with code 34
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(assert (= x (str.++ """" " " "\u{22}")))
(assert (= (str.to_code (str.at x 2)) 34))
(assert (str.contains x " """))
(check-sat)
