; An array from strings to colours: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array String Colour))
(declare-const i String)
(declare-const j String)
(declare-const e Colour)
(declare-fun f ((Array String Colour)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (str.prefixof i j))
(assert (distinct (str.len i) (str.len j)))
(check-sat)
