; z3 reads (Set T) as (Array T Bool).
(declare-const s (Set Int))
(declare-const a (Array Int Bool))
(assert (= s a))
(assert (select s 3))
(assert (= (store s 1 true) (union s a)))
(assert (subset s (intersection s a)))
(assert (= ((as const (Set Int)) false) (setminus s a)))
(check-sat)
