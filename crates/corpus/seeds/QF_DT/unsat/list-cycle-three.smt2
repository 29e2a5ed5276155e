; A list is never its own tail; three lists of length one exist only with more elements
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatype List ((nil) (cons (head Bool) (tail List))))
(declare-const x List)
(declare-const y List)
(declare-const z List)
(assert (distinct x y z))
(assert (= (tail x) (tail y) (tail z) nil))
(assert (and ((_ is cons) x) ((_ is cons) y) ((_ is cons) z)))
(check-sat)
