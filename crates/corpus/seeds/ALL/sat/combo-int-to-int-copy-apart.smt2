; An array from integers to integers: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (distinct a (store a i (select a j))))
(assert (= (* 2 i) (+ j j 2)))
(check-sat)
