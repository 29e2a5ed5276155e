; An array from floats to four-bit vectors: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 (_ BitVec 4)))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e (_ BitVec 4))
(define-fun b () (Array Float32 (_ BitVec 4)) (store a i e))
(assert (= (bvadd (select b j) #x1) e))
(assert (fp.isNaN i))
(assert (not (fp.isNaN j)))
(check-sat)
