; Bits and Booleans tied by ite, xor and implication; p without q would need 10, but xor says otherwise
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const v (_ BitVec 2))
(assert (= v (concat (ite p #b1 #b0) (ite (=> p q) #b1 #b0))))
(assert (= v #b10))
(assert (not (xor p q)))
(check-sat)
