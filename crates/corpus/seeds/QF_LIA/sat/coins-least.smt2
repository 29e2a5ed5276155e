; Sums of coins; 53 with few coins
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (>= a 0) (>= b 0) (>= c 0)))
(assert (= 53 (+ (* 6 a) (* 9 b) (* 20 c))))
(assert (<= (+ a b c) 5))
(check-sat)
