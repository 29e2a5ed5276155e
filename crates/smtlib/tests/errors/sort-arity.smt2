(declare-sort Pair 2)
(declare-const x (Pair Int))
