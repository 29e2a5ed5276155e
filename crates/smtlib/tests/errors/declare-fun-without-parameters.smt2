(declare-fun x Int)
