; An array from two-bit vectors to Boolean sequences: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (_ BitVec 2) (Seq Bool)))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(assert (distinct a (store a i (select a j))))
(assert (= (bvand (bvnot i) j) (bvand i (bvnot j)) #b00))
(check-sat)
