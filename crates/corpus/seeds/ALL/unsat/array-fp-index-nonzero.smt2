; An array indexed by floats: +0, -0 and NaN are keys; other numbers are one key
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 Int))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (not (fp.isZero x)))
(assert (distinct (select a x) (select a y)))
(check-sat)
