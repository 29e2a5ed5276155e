(declare-const s String)
(assert (> s 1))
