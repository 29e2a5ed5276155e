(declare-const x Int)
(assert (match x ((y true))))
