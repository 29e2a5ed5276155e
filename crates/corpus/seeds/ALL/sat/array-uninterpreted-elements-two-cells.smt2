; Elements of an uninterpreted sort, at most two of them; and without the middle
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-sort E 0)
(declare-const a (Array Int E))
(assert (forall ((x E) (y E) (z E)) (or (= x y) (= y z) (= x z))))
(assert (distinct (select a 0) (select a 1)))
(assert (distinct (select a 1) (select a 2)))
(check-sat)
