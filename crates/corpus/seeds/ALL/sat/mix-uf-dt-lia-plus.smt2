; An evaluator of expressions as a function; an expression of value zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype E ((num (val Int)) (plus (lhs E) (rhs E)) (neg (sub E))))
(declare-fun ev (E) Int)
(assert (= (ev (num 3)) 3))
(assert (= (ev (neg (num 3))) (- (ev (num 3)))))
(declare-const e E)
(assert (= (ev e) (+ (ev (lhs e)) (ev (rhs e))) 0))
(assert ((_ is plus) e))
(assert (= (lhs e) (num 3)))
(check-sat)
