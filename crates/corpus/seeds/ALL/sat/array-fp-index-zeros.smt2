; An array indexed by floats: +0, -0 and NaN are keys; the zeros are different keys
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 Int))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (= (select (store a x 1) y) 2))
(assert (= (select a x) 1))
(check-sat)
