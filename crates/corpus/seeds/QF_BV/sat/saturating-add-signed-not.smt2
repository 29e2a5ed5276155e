; Saturating addition by overflow predicate and by ite; the signed version is not
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(define-fun sat+ ((x (_ BitVec 4)) (y (_ BitVec 4))) (_ BitVec 4) (ite (bvuaddo x y) #xf (bvadd x y)))
(define-fun ssat ((x (_ BitVec 4)) (y (_ BitVec 4))) (_ BitVec 4)
  (ite (bvsaddo x y) (ite (bvslt x #x0) #x8 #x7) (bvadd x y)))
(assert (distinct (ssat a (ssat b c)) (ssat (ssat a b) c)))
(check-sat)
