; An array from colours to Boolean sequences: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour (Seq Bool)))
(declare-const i Colour)
(declare-const j Colour)
(declare-const e (Seq Bool))
(declare-fun f ((Array Colour (Seq Bool))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (not (or ((_ is red) i) ((_ is red) j))))
(assert (not (or ((_ is green) i) ((_ is green) j))))
(check-sat)
