; A stack of commands; equal commands with different arguments
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(declare-datatype Cmd ((push_ (arg Int)) (pop_)))
(declare-const p (Seq Cmd))
(assert (= (seq.len p) 2))
(assert (= (seq.nth p 0) (seq.nth p 1) (push_ 1)))
(assert (distinct p (seq.++ (seq.unit (push_ 1)) (seq.unit (push_ 1)))))
(set-info :status unsat)
(check-sat)
