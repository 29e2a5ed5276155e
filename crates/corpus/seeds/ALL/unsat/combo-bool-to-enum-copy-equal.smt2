; An array from Booleans to colours: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Bool Colour))
(declare-const i Bool)
(declare-const j Bool)
(assert (distinct a (store a i (select a j))))
(assert (not (xor i j)))
(check-sat)
