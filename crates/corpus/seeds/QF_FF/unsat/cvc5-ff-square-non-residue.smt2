; Squares in a field of five elements; 2 is no square modulo 5
; WHY: the squares modulo 5 are 0, 1 and 4
; CONFIRMED: cvc5-gpl@1.4.2
(set-logic QF_FF)
(set-info :status unsat)
(define-sort F () (_ FiniteField 5))
(declare-const x F)
(assert (= (ff.mul x x) (as ff2 F)))
(check-sat)
