; An array from an uninterpreted sort to Booleans: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array U Bool))
(declare-const i U)
(declare-const j U)
(assert (xor (select a i) (select a j)))
(assert (distinct i j))
(check-sat)
