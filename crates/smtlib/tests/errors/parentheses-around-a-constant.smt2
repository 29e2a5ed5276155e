(declare-const x Bool)
(assert (x))
