; Nested sequences; contents
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const m (Seq (Seq Int)))
(define-fun row () (Seq Int) (seq.nth m 0))
(assert (= m (seq.++ (seq.unit row) (seq.unit (seq.++ row row)))))
(assert (= (seq.nth (seq.nth m 1) 3) 9))
(assert (= (seq.len row) 2))
(check-sat)
