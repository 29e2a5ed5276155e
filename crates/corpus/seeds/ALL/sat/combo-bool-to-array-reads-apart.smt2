; An array from Booleans to arrays of integers: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool (Array Bool Int)))
(declare-const i Bool)
(declare-const j Bool)
(assert (< (select (select a i) true) (select (select a j) true)))
(assert (xor i j))
(check-sat)
