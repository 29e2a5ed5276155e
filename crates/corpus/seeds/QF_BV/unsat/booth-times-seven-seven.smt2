; Multiplication by constants through shifts and subtraction; 7x = 8x - x modulo 2^14
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 14))
(assert (distinct (bvmul x (_ bv7 14)) (bvsub (bvshl x (_ bv3 14)) x)))
(check-sat)
