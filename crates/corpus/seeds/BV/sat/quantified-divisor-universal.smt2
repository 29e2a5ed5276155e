; Quantifiers over bytes; a divisor that leaves every multiple of it without remainder
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status sat)
(declare-const d (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (=> (not (bvumulo x d)) (= (bvurem (bvmul x d) d) #x0))))
(assert (bvugt d #x2))
(check-sat)
