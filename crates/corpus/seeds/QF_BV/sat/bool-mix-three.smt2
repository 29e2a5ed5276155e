; Bits and Booleans tied by ite, xor and implication; both high
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const v (_ BitVec 2))
(assert (= v (concat (ite p #b1 #b0) (ite (=> p q) #b1 #b0))))
(assert (bvuge (bvadd v #b01) #b00))
(assert (= (xor p q (= v #b11)) (bvslt v #b00)))
(check-sat)
