; Choosing from a set, and comprehension by filter and map; the chosen element is a member
; WHY: set.choose of a nonempty set is one of its elements
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Set Int))
(assert (not (set.is_empty s)))
(assert (not (set.member (set.choose s) s)))
(check-sat)
