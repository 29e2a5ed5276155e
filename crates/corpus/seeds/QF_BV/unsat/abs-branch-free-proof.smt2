; Branch-free absolute value; it equals the ite version
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 12))
(define-fun sign () (_ BitVec 12) (bvashr x #x00b))
(define-fun fast () (_ BitVec 12) (bvsub (bvxor x sign) sign))
(assert (distinct fast (ite (bvslt x #x000) (bvneg x) x)))
(check-sat)
