; sat
(declare-const b (Bag Int))
(assert (= (bag.count 1 b) 2))
(assert (= (bag.count 2 b) 0))

; unsat
(declare-const b (Bag Int))
(declare-const x Int)
(assert (< (bag.count x b) 0))

; unsat
(declare-const x Int)
(assert (distinct (bag.count x (bag x 3)) 3))

; unsat
(declare-const x Int)
(assert (distinct (bag x (- 1)) (as bag.empty (Bag Int))))

; unsat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (distinct (bag.union_disjoint a b) (bag.union_disjoint b a)))

; unsat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(declare-const x Int)
(assert (distinct (bag.count x (bag.union_disjoint a b)) (+ (bag.count x a) (bag.count x b))))

; sat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (distinct (bag.union_disjoint a b) (bag.union_max a b)))

; unsat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(declare-const x Int)
(assert (> (bag.count x (bag.inter_min a b)) (bag.count x a)))

; unsat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (bag.subbag a b))
(assert (bag.subbag b a))
(assert (distinct a b))

; sat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (= (bag.difference_subtract a b) (bag 1 2)))
(assert (bag.member 1 b))

; unsat
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (bag.member 1 (bag.difference_remove a b)))
(assert (bag.member 1 b))

; sat
(declare-const a (Bag Int))
(assert (= (bag.card a) 3))
(assert (= (bag.count 7 a) 2))

; unsat
(declare-const a (Bag Int))
(assert (= (bag.card a) 1))
(assert (= (bag.count 7 a) 2))

; unsat
(declare-const a (Bag Int))
(declare-const x Int)
(assert (> (bag.count x (bag.setof a)) 1))
