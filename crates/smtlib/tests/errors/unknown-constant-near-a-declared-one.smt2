(declare-const counter Int)
(assert (> conter 0))
