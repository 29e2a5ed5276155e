; An array from rounding modes to an uninterpreted sort: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array RoundingMode U))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(declare-const e U)
(define-fun b () (Array RoundingMode U) (store a i e))
(assert (distinct (select b j) e))
(assert (distinct i j RTZ))
(check-sat)
