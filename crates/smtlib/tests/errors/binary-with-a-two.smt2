(assert (= #b012 #b000))
