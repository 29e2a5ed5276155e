; An array from an uninterpreted sort to floats: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array U Float32))
(declare-const i U)
(declare-const j U)
(assert (distinct a (store a i (select a j))))
(assert (or (= i j) (= j i)))
(check-sat)
