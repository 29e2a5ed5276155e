; Sequences as array indices; a longer one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (Seq Int) Int))
(declare-const s (Seq Int))
(assert (= (select a s) (seq.len s)))
(assert (= (select a (seq.++ s s)) 0))
(assert (= (seq.len s) 2))
(assert (= (select (store a (seq.unit 4) 7) (seq.extract s 0 1)) 7))
(assert (distinct (select a (seq.unit 4)) 7))
(check-sat)
