(declare-fun (x) Int)
