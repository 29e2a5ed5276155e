(declare-const a (Array Int))
