(declare-fun f (Int) Int)
(declare-fun f (Int) Int)
