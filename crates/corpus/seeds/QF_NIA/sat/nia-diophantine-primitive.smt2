; Pythagorean triples; three of them below 14
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (< 0 a b c 14))
(assert (= (+ (* a a) (* b b)) (* c c)))
(assert (distinct (* 3 c) (* 5 a)))
(check-sat)
