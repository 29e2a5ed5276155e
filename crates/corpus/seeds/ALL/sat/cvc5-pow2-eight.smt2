; Powers of two by int.pow2; 2^3
; WHY: n = 3
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(assert (= (int.pow2 n) 8))
(assert (>= n 0))
(check-sat)
