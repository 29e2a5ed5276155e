; Quantifier over arrays with two cells; some array differs everywhere
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const f (Array Bool Bool))
(assert (exists ((a (Array Bool Bool))) (and (distinct (select a true) (select f true)) (distinct (select a false) (select f false)))))
(check-sat)
