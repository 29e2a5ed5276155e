; An array from floats to pairs: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array Float32 (Pair Int Bool)))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e (Pair Int Bool))
(declare-fun f ((Array Float32 (Pair Int Bool))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (fp.eq i j))
(assert (not (fp.isZero i)))
(check-sat)
