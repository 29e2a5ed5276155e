; A function that reverses; swaps two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-fun rev ((Seq Int)) (Seq Int))
(declare-const s (Seq Int))
(assert (= (seq.len (rev s)) (seq.len s)))
(assert (= (rev (rev s)) s))
(assert (= (seq.len s) 2))
(assert (= (seq.nth (rev s) 0) (seq.nth s 1)))
(assert (distinct (seq.nth s 0) (seq.nth s 1)))
(check-sat)
