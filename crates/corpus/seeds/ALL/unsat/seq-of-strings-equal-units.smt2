; A sequence of strings is no string; units are injective
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const w (Seq String))
(assert (= (seq.len w) 2))
(assert (= w (seq.++ (seq.unit "a") (seq.unit (seq.nth w 0)))))
(assert (distinct (seq.nth w 1) "a"))
(check-sat)
