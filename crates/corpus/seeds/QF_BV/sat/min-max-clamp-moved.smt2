; Signed clamp built from unsigned comparisons; a value clamped from the other half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const lo (_ BitVec 8))
(declare-const hi (_ BitVec 8))
(define-fun flip ((v (_ BitVec 8))) (_ BitVec 8) (bvxor v #x80))
(define-fun clamp () (_ BitVec 8)
  (ite (bvult (flip x) (flip lo)) lo (ite (bvugt (flip x) (flip hi)) hi x)))
(assert (bvsle lo hi))
(assert (= clamp #xf0))
(assert (bvsgt x #x40))
(check-sat)
