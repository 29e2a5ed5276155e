; A linear system over a prime field; and the product it forces
; WHY: 2x = 9 gives x = 13, y = 7 and xy = 91 = 6 modulo 17
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status unsat)
(declare-const x (_ FiniteField 17))
(declare-const y (_ FiniteField 17))
(assert (= (ff.add x y) #f3m17))
(assert (= (ff.add x (ff.neg y)) #f6m17))
(assert (distinct (ff.mul x y) #f6m17))
(check-sat)
