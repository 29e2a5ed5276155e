(assert (= (_ bv1) #b1))
