; n-ary bit-vector operators; association does not matter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(assert (or (distinct (bvadd a b c) (bvadd c b a)) (distinct (bvxor a b c a) (bvxor b c)) (distinct (bvor a b c) (bvor (bvor c a) b))))
(check-sat)
