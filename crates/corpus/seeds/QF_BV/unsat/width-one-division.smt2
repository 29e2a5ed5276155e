; Width 1, where signed and unsigned orders are opposite; every quotient by one bit
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p (_ BitVec 1))
(declare-const q (_ BitVec 1))
(assert (= (bvudiv p q) (bvsdiv p q) (bvurem q p) #b1))
(check-sat)
