(assert (and true {false}))
