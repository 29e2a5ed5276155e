; An array from colours to reals: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour Real))
(declare-const i Colour)
(declare-const j Colour)
(assert (distinct a (store a i (select a j))))
(assert (distinct i j red))
(check-sat)
