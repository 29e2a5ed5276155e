; The two differences of bags; difference_subtract takes as many as there are
; WHY: three copies in a and one in b leave two
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag String))
(declare-const b (Bag String))
(assert (= (bag.count "x" a) 3))
(assert (= (bag.count "x" (bag.difference_subtract a b)) 2))
(assert (bag.subbag b a))
(check-sat)
