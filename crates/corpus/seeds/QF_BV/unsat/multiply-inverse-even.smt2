; Odd numbers have an inverse modulo a power of two; no even number has one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 10))
(declare-const y (_ BitVec 10))
(assert (= (bvmul x y) #b0000000001))
(assert (= ((_ extract 0 0) x) #b0))
(check-sat)
