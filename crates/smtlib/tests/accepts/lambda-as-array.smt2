; z3 takes a lambda for an array, and applies arrays like functions.
(declare-const a (Array Int Int))
(declare-const b (Array Int Int Bool))
(assert (= a (lambda ((i Int)) (+ i 1))))
(assert (= (select (lambda ((i Int)) (* 2 i)) 3) 6))
(assert (= b (lambda ((i Int) (j Int)) (< i j))))
(assert (= (store (lambda ((i Int)) i) 1 2) a))
(assert (= a (ite true (lambda ((i Int)) i) a)))
(check-sat)
