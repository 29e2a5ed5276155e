(declare-const x (_ BitVec 1))
(assert x)
