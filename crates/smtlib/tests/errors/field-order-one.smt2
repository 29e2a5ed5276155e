(declare-const x (_ FiniteField 1))
