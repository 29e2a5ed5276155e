; seq.replace on sequences of sequences' elements; replaces the first unit
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= (seq.replace s (seq.unit 1) (seq.unit 2)) (seq.++ (seq.unit 2) (seq.unit 1))))
(assert (= (seq.len s) 2))
(check-sat)
