; An array from two-bit vectors to reals: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (_ BitVec 2) Real))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(declare-const e Real)
(define-fun b () (Array (_ BitVec 2) Real) (store a i e))
(assert (< (+ 0.5 (select b j)) e))
(assert (bvult i j))
(assert (= ((_ extract 0 0) i) ((_ extract 0 0) j)))
(check-sat)
