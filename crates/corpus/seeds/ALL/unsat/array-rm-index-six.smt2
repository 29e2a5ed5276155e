; An array indexed by rounding modes; none of them is the number of modes, yet all differ
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array RoundingMode Int))
(declare-const m RoundingMode)
(assert (forall ((n RoundingMode)) (< 0 (select a n) 6)))
(assert (distinct (select a RNE) (select a RNA) (select a RTP) (select a RTN) (select a RTZ)))
(assert (distinct (select a m) 5))
(assert (forall ((n RoundingMode)) (=> (distinct n m) (distinct (select a n) 5))))
(check-sat)
