; An array from an uninterpreted sort to colours: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array U Colour))
(declare-const i U)
(declare-const j U)
(assert (distinct a (store a i (select a j))))
(assert (distinct i j))
(check-sat)
