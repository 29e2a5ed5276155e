; Euclid's algorithm as a recursive definition; a bound on it
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+fmf-fun
(set-logic ALL)
(set-info :status sat)
(define-fun-rec gcd ((a Int) (b Int)) Int (ite (= b 0) a (gcd b (mod a b))))
(declare-const x Int)
(assert (= x (gcd 21 14)))
(assert (< 5 x 9))
(check-sat)
