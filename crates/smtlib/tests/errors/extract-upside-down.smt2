(declare-const x (_ BitVec 8))
(assert (= ((_ extract 0 7) x) x))
