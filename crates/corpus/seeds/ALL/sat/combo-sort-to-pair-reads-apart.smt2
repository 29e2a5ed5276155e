; An array from an uninterpreted sort to pairs: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array U (Pair Int Bool)))
(declare-const i U)
(declare-const j U)
(assert (= (fst (select a i)) (+ 1 (fst (select a j)))))
(assert (distinct i j))
(check-sat)
