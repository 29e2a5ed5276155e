; Quantifier alternation over the integers; not every number is even plus a
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LIA)
(set-info :status unsat)
(declare-const a Int)
(assert (forall ((x Int)) (exists ((y Int)) (= (+ x a) (* 2 y)))))
(check-sat)
