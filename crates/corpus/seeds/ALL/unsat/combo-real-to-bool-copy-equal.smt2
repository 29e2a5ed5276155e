; An array from reals to Booleans: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Real Bool))
(declare-const i Real)
(declare-const j Real)
(assert (distinct a (store a i (select a j))))
(assert (= (* 3.0 i) (+ j j j)))
(check-sat)
