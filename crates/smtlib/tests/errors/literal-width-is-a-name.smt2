(assert (= (_ bv1 n) #b1))
