; Cardinality of finite sets; two and two overlap in one
; WHY: a = {1,2}, b = {2,3}
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (= (set.card (set.union a b)) 3))
(assert (= (set.card a) (set.card b) 2))
(assert (set.is_singleton (set.inter a b)))
(check-sat)
