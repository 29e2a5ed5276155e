; Booleans as field elements; b would have to be no bit
; WHY: a is 0 or 1 and a + 2b = 5, so b is 6 or 2, and neither is a root of b(b-1)
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status unsat)
(declare-const a (_ FiniteField 7))
(declare-const b (_ FiniteField 7))
(assert (= (ff.mul a (ff.add a #f6m7)) #f0m7))
(assert (= (ff.bitsum a b) #f5m7))
(assert (= (ff.mul b b) b))
(check-sat)
