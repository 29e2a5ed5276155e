; Alternations with functions; a commutative function at two points
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun f (Int Int) Int)
(assert (forall ((x Int) (y Int)) (= (f x y) (f y x))))
(assert (< (f 1 2) (f 2 1)))
(check-sat)
