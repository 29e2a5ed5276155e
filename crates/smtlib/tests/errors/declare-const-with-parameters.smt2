(declare-const f (Int) Int)
