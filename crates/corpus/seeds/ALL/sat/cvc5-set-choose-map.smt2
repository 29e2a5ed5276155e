; Choosing from a set, and comprehension by filter and map; a map that merges elements
; WHY: squaring {-1, 1} gives {1}
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Set Int))
(declare-fun f (Int) Int)
(assert (= s (set.insert 1 (set.singleton (- 1)))))
(assert (= (set.map f s) (set.singleton 1)))
(check-sat)
