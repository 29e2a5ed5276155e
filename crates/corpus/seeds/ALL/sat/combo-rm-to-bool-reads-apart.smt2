; An array from rounding modes to Booleans: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array RoundingMode Bool))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(assert (xor (select a i) (select a j)))
(assert (distinct i j RTZ))
(check-sat)
