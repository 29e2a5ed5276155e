; An array from an uninterpreted sort to an uninterpreted sort: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array U U))
(declare-const i U)
(declare-const j U)
(declare-const e U)
(define-fun b () (Array U U) (store a i e))
(assert (distinct (select b j) e))
(assert (distinct i j))
(check-sat)
