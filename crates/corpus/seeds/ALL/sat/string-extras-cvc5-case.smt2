; cvc5's str.rev, str.update, str.to_lower; lower and upper case
; WHY: x = aB has lower ab and upper AB
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_lower x) "ab"))
(assert (distinct x (str.to_lower x) (str.to_upper x)))
(check-sat)
