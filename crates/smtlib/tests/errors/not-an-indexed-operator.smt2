(declare-const x (_ BitVec 8))
(assert (= ((_ bvadd 8) x x) x))
