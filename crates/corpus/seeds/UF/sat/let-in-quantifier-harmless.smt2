; let and quantifier shadowing; and leaves the outer alone
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (forall ((x U)) (let ((y (f x))) (let ((x (f y))) (= x (f y))))))
(assert (let ((b (f a))) (and (distinct a b) (exists ((b U)) (= b a)))))
(check-sat)
