; An array from floats to Boolean sequences: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 (Seq Bool)))
(declare-const i Float32)
(declare-const j Float32)
(assert (distinct a (store a i (select a j))))
(assert (fp.eq i j))
(assert (distinct i j))
(check-sat)
