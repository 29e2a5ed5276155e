; An array from rounding modes to arrays of integers: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array RoundingMode (Array Bool Int)))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(declare-const e (Array Bool Int))
(define-fun b () (Array RoundingMode (Array Bool Int)) (store a i e))
(assert (< (select (select b j) true) (select e true)))
(assert (distinct i RNE RNA RTP RTN))
(assert (distinct j roundNearestTiesToEven RNA RTP RTN))
(check-sat)
