; Two ways to average two bytes without a wider sum; they agree for every pair
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun average () (_ BitVec 8) (bvadd (bvand x y) (bvlshr (bvxor x y) #x01)))
(define-fun wide () (_ BitVec 9) (bvlshr (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) (_ bv1 9)))
(assert (distinct average ((_ extract 7 0) wide)))
(check-sat)
