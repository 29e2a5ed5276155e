; A linear system over a prime field; its value
; WHY: x = 13 and y = 7 solve both equations, and 3 * 13 = 39 = 5
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status sat)
(declare-const x (_ FiniteField 17))
(declare-const y (_ FiniteField 17))
(assert (= (ff.add x y) #f3m17))
(assert (= (ff.add x (ff.neg y)) #f6m17))
(assert (= (ff.mul #f3m17 x) #f5m17))
(check-sat)
