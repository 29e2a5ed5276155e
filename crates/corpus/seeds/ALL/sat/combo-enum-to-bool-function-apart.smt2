; An array from colours to Booleans: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour Bool))
(declare-const i Colour)
(declare-const j Colour)
(declare-const e Bool)
(declare-fun f ((Array Colour Bool)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (distinct i j red))
(check-sat)
