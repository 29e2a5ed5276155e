; z3: arrays equal to lambdas.
(declare-fun a () (Array Int Int))
(declare-fun b () (Array Int Bool Int))
(declare-fun f (Int) Int)
(assert (= a (lambda ((x Int)) (+ x 1))))
(assert (= (select b 1 true) 4))
(assert (= ((_ map f) a) ((as const (Array Int Int)) 7)))
(check-sat)
