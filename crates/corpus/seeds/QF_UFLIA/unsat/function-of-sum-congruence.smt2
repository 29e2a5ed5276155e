; A function over linear terms; equal arguments by arithmetic
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (= (f (+ x 1)) (+ (f x) 2)))
(assert (= (f (+ x 2)) (+ (f (+ x 1)) 2)))
(assert (= (* 2 y) (+ (* 2 x) 4)))
(assert (distinct (f y) (+ (f x) 4)))
(check-sat)
