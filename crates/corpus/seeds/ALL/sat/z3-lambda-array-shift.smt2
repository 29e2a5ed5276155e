; A lambda as an array in z3; a shifted array
; WHY: a 2 = a 1 + 1 is one requirement on a free array
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int Int))
(assert (= (select (lambda ((i Int)) (select a (+ i 1))) 1) (+ 1 (select a 1))))
(check-sat)
