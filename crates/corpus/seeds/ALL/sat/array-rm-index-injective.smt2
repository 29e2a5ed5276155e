; An array indexed by rounding modes; all five values different
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array RoundingMode Int))
(declare-const m RoundingMode)
(assert (forall ((n RoundingMode)) (< 0 (select a n) 6)))
(assert (distinct (select a RNE) (select a RNA) (select a RTP) (select a RTN) (select a RTZ)))
(assert (= (select a m) 5))
(check-sat)
