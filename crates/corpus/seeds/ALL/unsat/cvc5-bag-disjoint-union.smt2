; Bags count their elements; adds the counts
; WHY: the disjoint union adds multiplicities, so the count of 5 would be 2 + 1
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (= (bag.count 5 a) 2))
(assert (= (bag.count 5 b) 1))
(assert (distinct (bag.count 5 (bag.union_disjoint a b)) 3))
(check-sat)
