(declare-const r Real)
(assert (= 0 (mod r 2)))
