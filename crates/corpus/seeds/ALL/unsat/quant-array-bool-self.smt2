; Quantifier over arrays with two cells; an array that is above all others nowhere
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const f (Array Bool Bool))
(assert (forall ((a (Array Bool Bool))) (= (select a (select f true)) (select a (select f false)))))
(assert (distinct (select f true) (select f false)))
(check-sat)
