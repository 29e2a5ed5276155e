(declare-const x Int)
(declare-const s String)
(assert (= x s))
