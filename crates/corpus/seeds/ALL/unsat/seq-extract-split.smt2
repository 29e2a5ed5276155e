; seq.extract and seq.at at the ends; gluing an extract back
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Bool))
(declare-const i Int)
(assert (<= 0 i (seq.len s)))
(assert (distinct s (seq.++ (seq.extract s 0 i) (seq.extract s i (seq.len s)))))
(check-sat)
