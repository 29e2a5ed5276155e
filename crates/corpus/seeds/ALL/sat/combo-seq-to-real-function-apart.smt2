; An array from integer sequences to reals: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) Real))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const e Real)
(declare-fun f ((Array (Seq Int) Real)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= j (seq.++ i (seq.unit 0))))
(check-sat)
