; Euclidean division with every combination of signs; is never negative
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (or (< (mod a 7) 0) (>= (mod a (- 7)) 7)))
(check-sat)
