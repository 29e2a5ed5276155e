; An array from floats to Booleans: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 Bool))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e Bool)
(declare-fun f ((Array Float32 Bool)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (fp.eq i j))
(assert (not (fp.isZero i)))
(check-sat)
