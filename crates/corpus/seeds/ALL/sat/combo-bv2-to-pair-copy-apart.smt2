; An array from two-bit vectors to pairs: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array (_ BitVec 2) (Pair Int Bool)))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(assert (distinct a (store a i (select a j))))
(assert (bvult i j))
(assert (= ((_ extract 0 0) i) ((_ extract 0 0) j)))
(check-sat)
