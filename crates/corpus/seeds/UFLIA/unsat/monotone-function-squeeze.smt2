; A monotone function on integers; two values with too little room between
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(assert (forall ((x Int) (y Int)) (! (=> (< x y) (< (f x) (f y))) :pattern ((f x) (f y)))))
(assert (= (f 0) 0))
(assert (= (f 3) 2))
(assert (< (f 0) (f 1)))
(assert (< (f 1) (f 2)))
(check-sat)
