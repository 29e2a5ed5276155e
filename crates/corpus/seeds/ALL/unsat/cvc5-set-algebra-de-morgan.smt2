; Finite sets in cvc5: union, intersection, difference; a difference law
; WHY: a minus (a minus b) is the intersection of a and b
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (distinct (set.minus a (set.minus a b)) (set.inter a b)))
(check-sat)
