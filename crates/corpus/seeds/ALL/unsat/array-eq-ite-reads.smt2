; Equality of arrays as a Boolean; differing reads make it zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const n Int)
(assert (= n (ite (= a b) 1 0)))
(assert (distinct (select a n) (select b n)))
(assert (> n 0))
(check-sat)
