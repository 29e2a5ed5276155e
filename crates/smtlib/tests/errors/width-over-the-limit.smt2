(declare-const x (_ BitVec 4294967295))
