; Quantifier alternation over the integers; a least number above all multiples below 20
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic LIA)
(set-info :status sat)
(declare-const a Int)
(assert (forall ((x Int)) (=> (< (* 6 x) 20) (<= (* 6 x) a))))
(assert (not (forall ((x Int)) (=> (< (* 6 x) 20) (<= (* 6 x) (- a 1))))))
(check-sat)
