; Sequences stored in an array; somewhere else
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int (Seq Int)))
(declare-const i Int)
(assert (= (select a (+ i 1)) (seq.++ (select a i) (seq.unit i))))
(assert (= (select a 0) (as seq.empty (Seq Int))))
(assert (= i 3))
(assert (= (seq.nth (select a 4) 1) 3))
(check-sat)
