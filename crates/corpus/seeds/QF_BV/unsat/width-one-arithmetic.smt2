; Width 1, where signed and unsigned orders are opposite; addition is xor, product is and, negation is nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p (_ BitVec 1))
(declare-const q (_ BitVec 1))
(assert (or (distinct (bvadd p q) (bvxor p q)) (distinct (bvmul p q) (bvand p q)) (distinct (bvneg p) p)))
(check-sat)
