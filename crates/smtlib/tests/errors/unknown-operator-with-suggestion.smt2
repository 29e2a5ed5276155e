(declare-const s String)
(assert (= (str.lenn s) 3))
