(assert (= (_ bv256 8) #x00))
