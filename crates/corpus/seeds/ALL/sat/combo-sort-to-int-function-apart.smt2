; An array from an uninterpreted sort to integers: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array U Int))
(declare-const i U)
(declare-const j U)
(declare-const e Int)
(declare-fun f ((Array U Int)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (distinct i j))
(check-sat)
