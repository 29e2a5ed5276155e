; An array from reals to four-bit vectors: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Real (_ BitVec 4)))
(declare-const i Real)
(declare-const j Real)
(assert (distinct a (store a i (select a j))))
(assert (= i (/ j 2.0)))
(assert (> j 0.0))
(check-sat)
