; An array from pairs to pairs: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array (Pair Int Bool) (Pair Int Bool)))
(declare-const i (Pair Int Bool))
(declare-const j (Pair Int Bool))
(assert (distinct a (store a i (select a j))))
(assert (= (fst i) (fst j)))
(assert (snd i))
(assert (not (snd j)))
(check-sat)
