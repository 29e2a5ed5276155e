; Width 1, where signed and unsigned orders are opposite; sign extension of one bit is all or nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p (_ BitVec 1))
(declare-const q (_ BitVec 1))
(assert (distinct ((_ sign_extend 4) p) #b00000 ((_ repeat 5) q)))
(check-sat)
