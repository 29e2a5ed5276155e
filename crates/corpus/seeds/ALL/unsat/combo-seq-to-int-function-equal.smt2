; An array from integer sequences to integers: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (Seq Int) Int))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const e Int)
(declare-fun f ((Array (Seq Int) Int)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (seq.++ i (seq.unit 1)) (seq.++ j (seq.unit 1))))
(check-sat)
