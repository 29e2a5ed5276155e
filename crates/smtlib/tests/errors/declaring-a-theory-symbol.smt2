(declare-fun and (Int Int) Int)
