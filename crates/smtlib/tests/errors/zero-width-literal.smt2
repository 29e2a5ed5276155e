(assert (= (_ bv0 0) (_ bv0 0)))
