; Lowest set bit, its mask and the bits above; low bit, mask below and rest above do not overlap
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(define-fun low () (_ BitVec 16) (bvand x (bvneg x)))
(assert (distinct x #x0000))
(assert (distinct #x0000 (bvand low (bvsub low #x0001))))
(check-sat)
