; Elements of an uninterpreted sort, at most two of them; pigeonhole on cells
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort E 0)
(declare-const a (Array Int E))
(assert (forall ((x E) (y E) (z E)) (or (= x y) (= y z) (= x z))))
(assert (distinct (select a 0) (select a 1) (select a 2)))
(check-sat)
