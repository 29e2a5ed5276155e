; An array from integer sequences to strings: a cell copied between indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) String))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(assert (distinct a (store a i (select a j))))
(assert (= j (seq.++ i (seq.unit 0))))
(check-sat)
