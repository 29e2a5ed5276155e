; Prices by name; not the letter a
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const price (Array String Real))
(declare-const n Int)
(assert (= (select price "tea") 2.5))
(assert (= (select price (str.++ "te" (str.at "cat" n))) (* 2.0 (select price "tea"))))
(assert (= n 1))
(check-sat)
