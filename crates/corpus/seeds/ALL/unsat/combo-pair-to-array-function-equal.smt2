; An array from pairs to arrays of integers: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array (Pair Int Bool) (Array Bool Int)))
(declare-const i (Pair Int Bool))
(declare-const j (Pair Int Bool))
(declare-const e (Array Bool Int))
(declare-fun f ((Array (Pair Int Bool) (Array Bool Int))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (fst i) (fst j)))
(assert (not (xor (snd i) (snd j))))
(check-sat)
