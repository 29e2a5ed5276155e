; An array from colours to pairs: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array Colour (Pair Int Bool)))
(declare-const i Colour)
(declare-const j Colour)
(declare-const e (Pair Int Bool))
(declare-fun f ((Array Colour (Pair Int Bool))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (distinct i j red))
(check-sat)
