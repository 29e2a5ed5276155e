; An array from integers to an uninterpreted sort: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array Int U))
(declare-const i Int)
(declare-const j Int)
(assert (distinct (select a i) (select a j)))
(assert (= (* 2 i) (+ j j 2)))
(check-sat)
