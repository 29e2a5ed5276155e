(declare-const x (_ BitVector 8))
