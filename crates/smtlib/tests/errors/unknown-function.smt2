(declare-const x Int)
(assert (> (f x) 0))
