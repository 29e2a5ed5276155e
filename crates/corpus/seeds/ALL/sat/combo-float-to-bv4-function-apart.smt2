; An array from floats to four-bit vectors: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 (_ BitVec 4)))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e (_ BitVec 4))
(declare-fun f ((Array Float32 (_ BitVec 4))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (fp.eq i j))
(assert (distinct i j))
(check-sat)
