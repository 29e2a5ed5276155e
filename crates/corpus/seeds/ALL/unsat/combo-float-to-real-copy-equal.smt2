; An array from floats to reals: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 Real))
(declare-const i Float32)
(declare-const j Float32)
(assert (distinct a (store a i (select a j))))
(assert (fp.eq i j))
(assert (not (fp.isZero i)))
(check-sat)
