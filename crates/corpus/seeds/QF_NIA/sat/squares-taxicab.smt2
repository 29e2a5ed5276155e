; Integer squares; 65 in two ways
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(declare-const u Int)
(declare-const v Int)
(assert (= 65 (+ (* x x) (* y y)) (+ (* u u) (* v v))))
(assert (< 0 x u v y))
(check-sat)
