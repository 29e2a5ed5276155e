; An array over the reals; an integer index
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const f (Array Real Int))
(declare-const x Real)
(assert (= (select f x) (to_int x)))
(assert (= (select f (+ x (/ 1 2))) (to_int (+ x x))))
(assert (is_int x))
(assert (> x 1.0))
(assert (= (select (store f (+ x 0.5) 0) x) (select f (/ (+ x x 1.0) 2.0))))
(check-sat)
