; An array from colours to colours: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour Colour))
(declare-const i Colour)
(declare-const j Colour)
(declare-const e Colour)
(define-fun b () (Array Colour Colour) (store a i e))
(assert (and ((_ is green) (select b j)) ((_ is blue) e)))
(assert (not (or ((_ is red) i) ((_ is red) j))))
(assert (not (or ((_ is green) i) ((_ is green) j))))
(check-sat)
