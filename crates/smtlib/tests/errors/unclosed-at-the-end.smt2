(declare-const p Bool)
(assert (and p
