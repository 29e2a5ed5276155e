; Width 129, just past two machine words; the carry must cross both word boundaries
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 129))
(declare-const y (_ BitVec 129))
(assert (= (bvadd x y) (_ bv0 129)))
(assert (= ((_ extract 127 64) x) ((_ extract 127 64) y) #x0000000000000001))
(assert (= ((_ extract 63 0) x) #x0000000000000000))
(check-sat)
