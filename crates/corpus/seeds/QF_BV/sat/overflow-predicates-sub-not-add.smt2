; The 2.7 overflow predicates against widened arithmetic; a difference overflows although the sum does not
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 5))
(declare-const b (_ BitVec 5))
(define-fun wide ((v (_ BitVec 5))) (_ BitVec 10) ((_ sign_extend 5) v))
(define-fun fits ((v (_ BitVec 10))) Bool (= v ((_ sign_extend 5) ((_ extract 4 0) v))))
(assert (bvssubo a b))
(assert (not (bvsaddo a b)))
(assert (bvusubo a b))
(check-sat)
