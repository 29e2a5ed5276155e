; An array from two-bit vectors to Booleans: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (_ BitVec 2) Bool))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(assert (distinct a (store a i (select a j))))
(assert (bvult i j))
(assert (= ((_ extract 0 0) i) ((_ extract 0 0) j)))
(check-sat)
