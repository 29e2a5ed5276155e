; An array from integer sequences to arrays of integers: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) (Array Bool Int)))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(assert (< (select (select a i) true) (select (select a j) true)))
(assert (= j (seq.++ i (seq.unit 0))))
(check-sat)
