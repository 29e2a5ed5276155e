; An array from integers to arrays of integers: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int (Array Bool Int)))
(declare-const i Int)
(declare-const j Int)
(assert (< (select (select a i) true) (select (select a j) true)))
(assert (<= i j))
(assert (< (* 2 j) (+ i i 1)))
(check-sat)
