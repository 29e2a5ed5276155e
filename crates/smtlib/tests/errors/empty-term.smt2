(assert (and true ()))
