; The 2.7 overflow predicates against widened arithmetic; bvsaddo is "the sum does not fit"
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 5))
(declare-const b (_ BitVec 5))
(define-fun wide ((v (_ BitVec 5))) (_ BitVec 10) ((_ sign_extend 5) v))
(define-fun fits ((v (_ BitVec 10))) Bool (= v ((_ sign_extend 5) ((_ extract 4 0) v))))
(assert (distinct (bvsaddo a b) (not (fits (bvadd (wide a) (wide b))))))
(check-sat)
