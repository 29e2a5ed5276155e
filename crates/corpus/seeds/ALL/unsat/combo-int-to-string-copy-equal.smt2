; An array from integers to strings: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int String))
(declare-const i Int)
(declare-const j Int)
(assert (distinct a (store a i (select a j))))
(assert (<= i j))
(assert (< (* 2 j) (+ i i 1)))
(check-sat)
