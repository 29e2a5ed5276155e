; NaN in a sequence equals itself; units of NaN are equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Float32))
(assert (= (seq.len s) 1))
(assert (fp.isNaN (seq.nth s 0)))
(assert (distinct s (seq.unit (fp.sub RNE (_ +oo 8 24) (_ +oo 8 24)))))
(check-sat)
