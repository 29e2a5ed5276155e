(declare-const x Integer)
