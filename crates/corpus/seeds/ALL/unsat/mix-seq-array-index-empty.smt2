; Sequences as array indices; only the empty one can be both
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (Seq Int) Int))
(declare-const s (Seq Int))
(assert (= (select a s) (seq.len s)))
(assert (= (select a (seq.++ s s)) 0))
(assert (= (seq.++ s s) s))
(assert (= (select a (as seq.empty (Seq Int))) 1))
(check-sat)
