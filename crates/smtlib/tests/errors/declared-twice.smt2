(declare-const x Int)
(declare-const y Int)
(declare-const x Int)
