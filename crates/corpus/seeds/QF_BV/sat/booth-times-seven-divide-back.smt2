; Multiplication by constants through shifts and subtraction; unsigned division does not undo it
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 14))
(assert (distinct (bvudiv (bvmul x (_ bv7 14)) (_ bv7 14)) x))
(assert (bvult x (_ bv2400 14)))
(check-sat)
