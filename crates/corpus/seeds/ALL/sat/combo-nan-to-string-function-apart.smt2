; An array from floats to strings: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 String))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e String)
(declare-fun f ((Array Float32 String)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (fp.isNaN i))
(assert (not (fp.isNaN j)))
(check-sat)
