(assert (not true false))
