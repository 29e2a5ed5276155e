; An array from rounding modes to pairs: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array RoundingMode (Pair Int Bool)))
(declare-const i RoundingMode)
(declare-const j RoundingMode)
(assert (= (fst (select a i)) (+ 1 (fst (select a j)))))
(assert (distinct i j RTZ))
(check-sat)
