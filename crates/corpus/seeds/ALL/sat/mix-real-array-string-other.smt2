; Prices by name; another letter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const price (Array String Real))
(declare-const n Int)
(assert (= (select price "tea") 2.5))
(assert (= (select price (str.++ "te" (str.at "cat" n))) (* 2.0 (select price "tea"))))
(assert (> (select price "tet") 4.0))
(check-sat)
