; bvnego holds at one point only; two different such points
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 16))
(declare-const b (_ BitVec 16))
(assert (bvnego a))
(assert (bvnego (bvxor a b)))
(assert (distinct b #x0000))
(check-sat)
