; Booleans as field elements; b is 2 or 6
; WHY: a = 1, b = 2
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status sat)
(declare-const a (_ FiniteField 7))
(declare-const b (_ FiniteField 7))
(assert (= (ff.mul a (ff.add a #f6m7)) #f0m7))
(assert (= (ff.bitsum a b) #f5m7))
(assert (distinct b #f6m7))
(check-sat)
