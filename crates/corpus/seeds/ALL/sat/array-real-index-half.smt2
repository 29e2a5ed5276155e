; An array over the reals; a carry at one half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const f (Array Real Int))
(declare-const x Real)
(assert (= (select f x) (to_int x)))
(assert (= (select f (+ x (/ 1 2))) (to_int (+ x x))))
(assert (= (select f x) (- (select f (+ x 0.5)) 3)))
(check-sat)
