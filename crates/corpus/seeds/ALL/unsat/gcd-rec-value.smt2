; Euclid's algorithm as a recursive definition; of two constants
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec gcd ((a Int) (b Int)) Int (ite (= b 0) a (gcd b (mod a b))))
(declare-const x Int)
(assert (= x (gcd 84 30)))
(assert (distinct x 6))
(check-sat)
