(declare-const p Bool)
(assert (forall ((x Int)) p p))
