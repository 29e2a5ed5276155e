; An array from floats to Boolean sequences: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 (Seq Bool)))
(declare-const i Float32)
(declare-const j Float32)
(assert (= (seq.len (select a j)) (+ 1 (seq.len (select a i)))))
(assert (fp.isNaN i))
(assert (not (fp.isNaN j)))
(check-sat)
