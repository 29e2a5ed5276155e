; An array from strings to an uninterpreted sort: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array String U))
(declare-const i String)
(declare-const j String)
(assert (distinct a (store a i (select a j))))
(assert (str.prefixof i j))
(assert (distinct (str.len i) (str.len j)))
(check-sat)
