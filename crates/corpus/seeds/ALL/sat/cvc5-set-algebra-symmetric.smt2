; Finite sets in cvc5: union, intersection, difference; symmetric difference with a member in common
; WHY: a = {1,2}, b = {2,3} satisfies all three
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (set.member 2 (set.inter a b)))
(assert (= (set.union (set.minus a b) (set.minus b a)) (set.insert 1 (set.singleton 3))))
(assert (not (set.subset a b)))
(check-sat)
