; NaN in a sequence equals itself; units of the two zeros are not
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Float32))
(assert (= (seq.len s) 1))
(assert (fp.isZero (seq.nth s 0)))
(assert (distinct s (seq.unit (_ +zero 8 24))))
(check-sat)
