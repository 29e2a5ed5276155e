; Nested sequences; the second row is even
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const m (Seq (Seq Int)))
(define-fun row () (Seq Int) (seq.nth m 0))
(assert (= m (seq.++ (seq.unit row) (seq.unit (seq.++ row row)))))
(assert (= (seq.len (seq.nth m 1)) 3))
(check-sat)
