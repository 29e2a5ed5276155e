; An array from pairs to integers: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array (Pair Int Bool) Int))
(declare-const i (Pair Int Bool))
(declare-const j (Pair Int Bool))
(declare-const e Int)
(define-fun b () (Array (Pair Int Bool) Int) (store a i e))
(assert (= e (+ 3 (select b j))))
(assert (= (fst i) (fst j)))
(assert (not (xor (snd i) (snd j))))
(check-sat)
