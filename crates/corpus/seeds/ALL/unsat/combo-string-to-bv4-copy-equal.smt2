; An array from strings to four-bit vectors: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array String (_ BitVec 4)))
(declare-const i String)
(declare-const j String)
(assert (distinct a (store a i (select a j))))
(assert (= (str.++ i "ab") (str.++ j "ab")))
(check-sat)
