; An array from rounding modes to strings: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array RoundingMode String))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(declare-const e String)
(declare-fun f ((Array RoundingMode String)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (distinct i RNE RNA RTP RTN))
(assert (distinct j roundNearestTiesToEven RNA RTP RTN))
(check-sat)
