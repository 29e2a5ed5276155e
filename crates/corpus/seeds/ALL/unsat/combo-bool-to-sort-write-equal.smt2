; An array from Booleans to an uninterpreted sort: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array Bool U))
(declare-const i Bool)
(declare-const j Bool)
(declare-const e U)
(define-fun b () (Array Bool U) (store a i e))
(assert (distinct (select b j) e))
(assert (not (xor i j)))
(check-sat)
