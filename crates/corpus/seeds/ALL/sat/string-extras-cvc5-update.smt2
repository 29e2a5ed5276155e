; cvc5's str.rev, str.update, str.to_lower; writes inside only
; WHY: x = abcd becomes aXYd
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= (str.update x 1 "XY") "aXYd"))
(assert (str.< x "b"))
(check-sat)
