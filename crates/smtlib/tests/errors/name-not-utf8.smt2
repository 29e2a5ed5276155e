(declare-const |aÿ| Int)
