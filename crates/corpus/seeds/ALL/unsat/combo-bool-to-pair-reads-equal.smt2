; An array from Booleans to pairs: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array Bool (Pair Int Bool)))
(declare-const i Bool)
(declare-const j Bool)
(assert (= (fst (select a i)) (+ 1 (fst (select a j)))))
(assert (not (xor i j)))
(check-sat)
