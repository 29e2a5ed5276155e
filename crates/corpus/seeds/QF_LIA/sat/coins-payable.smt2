; Sums of coins; 44 is
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (>= a 0) (>= b 0) (>= c 0)))
(assert (= 44 (+ (* 6 a) (* 9 b) (* 20 c))))
(check-sat)
