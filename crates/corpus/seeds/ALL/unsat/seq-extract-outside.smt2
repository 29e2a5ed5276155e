; seq.extract and seq.at at the ends; nothing outside
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Bool))
(declare-const i Int)
(assert (or (< i 0) (>= i (seq.len s))))
(assert (distinct (seq.at s i) (as seq.empty (Seq Bool))))
(check-sat)
