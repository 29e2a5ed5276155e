(assert (= #x #x0f))
