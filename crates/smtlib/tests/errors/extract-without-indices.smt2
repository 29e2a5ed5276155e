(declare-const x (_ BitVec 8))
(assert (= (extract 7 0 x) x))
