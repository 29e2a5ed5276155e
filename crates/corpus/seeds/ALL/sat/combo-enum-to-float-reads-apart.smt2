; An array from colours to floats: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour Float32))
(declare-const i Colour)
(declare-const j Colour)
(assert (fp.lt (select a i) (select a j)))
(assert (distinct i j red))
(check-sat)
