; bvcomp used as a bit; exactly one is possible
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(define-fun eqs () (_ BitVec 3) (concat (bvcomp a b) (concat (bvcomp b c) (bvcomp c a))))
(assert (= (bvadd ((_ zero_extend 1) eqs) #x1) #x3))
(assert (bvslt a b))
(check-sat)
