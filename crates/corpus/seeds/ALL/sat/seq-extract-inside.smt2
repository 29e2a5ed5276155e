; seq.extract and seq.at at the ends; one element inside
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Bool))
(declare-const i Int)
(assert (= (seq.extract s i 2) (seq.++ (seq.unit true) (seq.unit false))))
(assert (= (seq.extract s 0 2) (seq.++ (seq.unit false) (seq.unit true))))
(assert (< (seq.len s) 4))
(check-sat)
