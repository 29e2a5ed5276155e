(assert (= #f3 #f3))
