(declare-const p Bool)
(assert (AND p p))
