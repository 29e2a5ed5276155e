(declare-const a (Array Int Int Bool))
(assert (select a 1 2))
(assert (= (store a 1 2 true) a))
(check-sat)
