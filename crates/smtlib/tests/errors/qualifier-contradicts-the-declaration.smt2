(declare-const x Int)
(assert (> (as x Bool) 0))
