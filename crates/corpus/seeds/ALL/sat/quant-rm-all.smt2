; Quantifiers over rounding modes; the same result in all modes means it is exact
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-const x Float32)
(assert (forall ((m RoundingMode)) (= (fp.add m x x) (fp.add RTZ x x))))
(assert (fp.isNormal x))
(assert (fp.lt x (fp.add RNE x x)))
(check-sat)
