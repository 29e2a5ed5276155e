; Size of a bag counts copies; without copies there are at most two
; WHY: setof keeps one copy of each of the two Booleans
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag Bool))
(assert (> (bag.card (bag.setof a)) 2))
(check-sat)
