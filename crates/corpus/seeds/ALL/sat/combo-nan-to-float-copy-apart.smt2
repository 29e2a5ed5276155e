; An array from floats to floats: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 Float32))
(declare-const i Float32)
(declare-const j Float32)
(assert (distinct a (store a i (select a j))))
(assert (fp.isNaN i))
(assert (not (fp.isNaN j)))
(check-sat)
