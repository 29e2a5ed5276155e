; Pythagorean triples; none with two odd legs
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (< 0 a b c 14))
(assert (= (+ (* a a) (* b b)) (* c c)))
(assert (= (mod a 2) (mod b 2) 1))
(check-sat)
