; Constants beyond 64 bits; almost equal halves
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) 36893488147419103233))
(assert (= (abs (- x y)) 1))
(assert (> x 18446744073709551615 ))
(check-sat)
