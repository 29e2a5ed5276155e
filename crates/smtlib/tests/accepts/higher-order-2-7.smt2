; SMT-LIB 2.7: (_ f x) applies a function term, maps are function sorts.
(set-logic HO_ALL)
(declare-const m (-> Int Int))
(declare-fun f (Int Int) Int)
(assert (= (_ m 1) 2))
(assert (= (_ (_ f 1) 2) 3))
(check-sat)
