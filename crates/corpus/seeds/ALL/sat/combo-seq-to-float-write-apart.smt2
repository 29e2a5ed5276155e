; An array from integer sequences to floats: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) Float32))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const e Float32)
(define-fun b () (Array (Seq Int) Float32) (store a i e))
(assert (fp.lt (select b j) e))
(assert (= j (seq.++ i (seq.unit 0))))
(check-sat)
