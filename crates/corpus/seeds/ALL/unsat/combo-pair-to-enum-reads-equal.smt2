; An array from pairs to colours: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array (Pair Int Bool) Colour))
(declare-const i (Pair Int Bool))
(declare-const j (Pair Int Bool))
(assert (and ((_ is green) (select a i)) ((_ is blue) (select a j))))
(assert (= (fst i) (fst j)))
(assert (not (xor (snd i) (snd j))))
(check-sat)
