; Congruence through a product; a different product
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFNIA)
(set-info :status sat)
(declare-fun f (Int Int) Int)
(declare-const a Int)
(declare-const b Int)
(assert (= (f (* a b) 0) 1))
(assert (= (f (* a a) 0) 2))
(assert (= (+ a b) 5))
(check-sat)
