; The two differences of bags; difference_remove takes all copies
; WHY: b contains x, so no copy of x survives
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag String))
(declare-const b (Bag String))
(assert (bag.member "x" b))
(assert (> (bag.count "x" (bag.difference_remove a b)) 0))
(check-sat)
