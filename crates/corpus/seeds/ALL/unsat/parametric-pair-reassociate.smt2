; Pairs of pairs; two shapes of one triple
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (X Y) ((mk (fst X) (snd Y))))))
(declare-const p (Pair Int (Pair Bool Real)))
(declare-const q (Pair (Pair Int Bool) Real))
(assert (= (fst p) (fst (fst q))))
(assert (= (fst (snd p)) (snd (fst q))))
(assert (= q (mk (mk (fst p) (fst (snd p))) (snd (snd p)))))
(assert (distinct (snd q) (snd (snd p))))
(check-sat)
