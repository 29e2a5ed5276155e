; Arrays indexed by Bool hold two integers; three different values
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Bool Int))
(declare-const p Bool)
(declare-const q Bool)
(assert (< (select a p) (select a q)))
(assert (= (select a (and p q)) 0))
(assert (distinct (select a true) (select a false) (select a (xor p q))))
(check-sat)
