; Width 129, just past two machine words; low word nonzero forces complement above
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 129))
(declare-const y (_ BitVec 129))
(assert (= (bvadd x y) (_ bv0 129)))
(assert (= ((_ extract 63 0) x) #x8000000000000000))
(assert (= ((_ extract 128 128) x) ((_ extract 128 128) y)))
(assert (bvugt x y))
(check-sat)
