(declare-const x Int)
(assert (= x (+ 1 2)
(check-sat)
