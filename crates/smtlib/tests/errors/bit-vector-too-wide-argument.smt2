(declare-const x (_ BitVec 8))
(assert (= x (bvmul x #x00ff)))
