(declare-fun f (Int Bool) Int)
(assert (= (f 1 2) 0))
