; A list is never its own tail; a cycle through two cells
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatype List ((nil) (cons (head Bool) (tail List))))
(declare-const x List)
(declare-const y List)
(assert (= x (cons true y)))
(assert (= y (cons false x)))
(check-sat)
