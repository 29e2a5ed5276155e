; Bags count their elements; takes the larger count
; WHY: a holds 5 twice, b once: the largest is two, the least is one
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (= (bag.count 5 (bag.union_max a b)) 2))
(assert (= (bag.inter_min a b) (bag 5 1)))
(check-sat)
