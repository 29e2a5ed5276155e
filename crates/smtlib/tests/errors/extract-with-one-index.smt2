(declare-const x (_ BitVec 8))
(assert (= ((_ extract 7) x) x))
