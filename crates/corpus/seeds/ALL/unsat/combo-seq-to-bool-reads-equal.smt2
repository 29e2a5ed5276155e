; An array from integer sequences to Booleans: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (Seq Int) Bool))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(assert (xor (select a i) (select a j)))
(assert (= (seq.++ i (seq.unit 1)) (seq.++ j (seq.unit 1))))
(check-sat)
