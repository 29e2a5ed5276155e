(declare-const x Int)
(assert (= 1 (ite x 1 2)))
