(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (= (bvadd x #x0f) y))
