; Arrays indexed by Bool hold two integers; or two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool Int))
(declare-const p Bool)
(declare-const q Bool)
(assert (< (select a p) (select a q)))
(assert (= (select a (and p q)) 0))
(assert (= (select (store a (not p) 5) q) 5))
(assert (> (select a (= p q)) (- 3)))
(check-sat)
