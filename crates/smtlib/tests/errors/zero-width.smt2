(declare-const x (_ BitVec 0))
