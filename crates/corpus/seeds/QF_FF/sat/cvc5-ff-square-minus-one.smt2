; Squares in a field of five elements; -1 is a square modulo 5
; WHY: 2 * 2 = 4 = -1
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status sat)
(define-sort F () (_ FiniteField 5))
(declare-const x F)
(assert (= (ff.mul x x) (as ff-1 F)))
(check-sat)
