; An array from rounding modes to four-bit vectors: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array RoundingMode (_ BitVec 4)))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(declare-const e (_ BitVec 4))
(define-fun b () (Array RoundingMode (_ BitVec 4)) (store a i e))
(assert (= (bvadd (select b j) #x1) e))
(assert (distinct i RNE RNA RTP RTN))
(assert (distinct j roundNearestTiesToEven RNA RTP RTN))
(check-sat)
