; Pairs of pairs; in the last part only
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (X Y) ((mk (fst X) (snd Y))))))
(declare-const p (Pair Int (Pair Bool Real)))
(declare-const q (Pair (Pair Int Bool) Real))
(assert (= (fst p) (fst (fst q))))
(assert (= (fst (snd p)) (snd (fst q))))
(assert (= (snd q) (+ 0.5 (snd (snd p)))))
(assert (= (snd (fst q)) (< (snd q) (to_real (fst p)))))
(check-sat)
