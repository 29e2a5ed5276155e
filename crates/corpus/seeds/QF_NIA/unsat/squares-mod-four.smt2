; Integer squares; a sum of two squares is never 3 modulo 4
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 4))
(assert (<= 0 y 4))
(assert (= (mod (+ (* x x) (* y y)) 4) 3))
(check-sat)
