; A sequence of strings is no string; joining the parts
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const w (Seq String))
(assert (= (seq.len w) 2))
(assert (= (str.++ (seq.nth w 0) (seq.nth w 1)) "xyz"))
(assert (> (str.len (seq.nth w 1)) (str.len (seq.nth w 0))))
(check-sat)
