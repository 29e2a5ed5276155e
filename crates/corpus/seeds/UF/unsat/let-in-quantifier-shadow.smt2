; let and quantifier shadowing; a quantifier hides an outer name
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (forall ((x U)) (let ((y (f x))) (let ((x (f y))) (= x (f y))))))
(assert (let ((a (f a))) (forall ((a U)) (= (f a) a))))
(assert (distinct (f a) a))
(check-sat)
