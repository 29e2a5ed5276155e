; Concatenation of integer sequences; s = 1 2, t = 2 1 is one solution
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (= (seq.++ s (seq.unit 1)) (seq.++ (seq.unit 1) t)))
(assert (= (seq.len s) 2))
(assert (= (seq.nth t 0) 2))
(check-sat)
