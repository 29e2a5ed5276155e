; Quantifier alternation over the integers; no largest integer
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LIA)
(set-info :status unsat)
(declare-const a Int)
(assert (exists ((m Int)) (forall ((x Int)) (<= x m))))
(check-sat)
