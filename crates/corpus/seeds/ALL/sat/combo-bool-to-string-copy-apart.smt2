; An array from Booleans to strings: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool String))
(declare-const i Bool)
(declare-const j Bool)
(assert (distinct a (store a i (select a j))))
(assert (xor i j))
(check-sat)
