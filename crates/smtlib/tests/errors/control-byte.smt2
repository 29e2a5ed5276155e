(assert true)
