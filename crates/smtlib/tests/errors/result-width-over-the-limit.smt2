(declare-const x (_ BitVec 1000))
(assert (= ((_ repeat 10000) x) ((_ repeat 10000) x)))
