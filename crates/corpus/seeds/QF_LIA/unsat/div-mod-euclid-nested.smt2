; Euclidean division with every combination of signs; division twice is division by the product
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (distinct (div (div a 3) 4) (div a 12)))
(check-sat)
