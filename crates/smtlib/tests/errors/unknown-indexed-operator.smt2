(declare-const x (_ BitVec 8))
(assert (= ((_ sign_extends 8) x) x))
