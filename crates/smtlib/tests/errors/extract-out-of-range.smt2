(declare-const x (_ BitVec 8))
(assert (= ((_ extract 8 0) x) x))
