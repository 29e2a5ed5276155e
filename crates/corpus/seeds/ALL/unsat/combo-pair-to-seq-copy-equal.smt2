; An array from pairs to Boolean sequences: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array (Pair Int Bool) (Seq Bool)))
(declare-const i (Pair Int Bool))
(declare-const j (Pair Int Bool))
(assert (distinct a (store a i (select a j))))
(assert (= (fst i) (fst j)))
(assert (not (xor (snd i) (snd j))))
(check-sat)
