; Concatenation of integer sequences; both sides are as long
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (= (seq.++ s (seq.unit 1)) (seq.++ (seq.unit 1) t)))
(assert (distinct (seq.len s) (seq.len t)))
(check-sat)
