; A lambda as an array in z3; the array of squares
; WHY: a maps 5 to 25
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Int))
(assert (= a (lambda ((i Int)) (* i i))))
(assert (distinct (select a 5) 25))
(check-sat)
