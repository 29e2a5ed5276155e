; An array from integer sequences to four-bit vectors: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) (_ BitVec 4)))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(assert (= (bvadd (select a i) #x1) (select a j)))
(assert (= j (seq.++ i (seq.unit 0))))
(check-sat)
