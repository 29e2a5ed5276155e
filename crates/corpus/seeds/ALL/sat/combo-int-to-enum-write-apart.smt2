; An array from integers to colours: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Int Colour))
(declare-const i Int)
(declare-const j Int)
(declare-const e Colour)
(define-fun b () (Array Int Colour) (store a i e))
(assert (and ((_ is green) (select b j)) ((_ is blue) e)))
(assert (= (* 2 i) (+ j j 2)))
(check-sat)
