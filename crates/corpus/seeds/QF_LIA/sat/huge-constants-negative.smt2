; Constants beyond 64 bits; with a large negative part
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) 36893488147419103233))
(assert (< x (- 170141183460469231731687303715884105728)))
(assert (= (mod y 10) 7))
(check-sat)
