(push 1)
(declare-const x Int)
(pop 1)
(assert (> x 0))
