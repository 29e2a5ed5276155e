; A function that reverses; a different list of length zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-fun rev ((Seq Int)) (Seq Int))
(declare-const s (Seq Int))
(assert (= (seq.len (rev s)) (seq.len s)))
(assert (= (rev (rev s)) s))
(assert (= (seq.len s) 0))
(assert (distinct (rev s) s))
(check-sat)
