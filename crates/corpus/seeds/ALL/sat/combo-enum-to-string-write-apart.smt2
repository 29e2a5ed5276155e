; An array from colours to strings: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour String))
(declare-const i Colour)
(declare-const j Colour)
(declare-const e String)
(define-fun b () (Array Colour String) (store a i e))
(assert (= e (str.++ (select b j) "x")))
(assert (distinct i j red))
(check-sat)
