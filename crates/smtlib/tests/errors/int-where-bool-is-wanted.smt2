(declare-const x Int)
(assert (and true x))
