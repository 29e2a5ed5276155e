; Integer squares; x² - 2y² = 1
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (= (- (* x x) (* 2 y y)) 1))
(assert (< 3 x 50))
(check-sat)
