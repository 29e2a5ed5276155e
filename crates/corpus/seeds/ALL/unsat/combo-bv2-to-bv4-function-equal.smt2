; An array from two-bit vectors to four-bit vectors: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (_ BitVec 2) (_ BitVec 4)))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(declare-const e (_ BitVec 4))
(declare-fun f ((Array (_ BitVec 2) (_ BitVec 4))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (bvand (bvnot i) j) (bvand i (bvnot j)) #b00))
(check-sat)
