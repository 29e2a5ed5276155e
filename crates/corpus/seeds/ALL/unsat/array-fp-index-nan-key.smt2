; An array indexed by floats: +0, -0 and NaN are keys; NaN is one key, however computed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 Int))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (= (select (store a (fp.mul RNE (_ +oo 8 24) (_ -zero 8 24)) 3) (_ NaN 8 24)) (select a x)))
(assert (= (select a x) 4))
(check-sat)
