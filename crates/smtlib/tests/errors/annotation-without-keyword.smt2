(assert (! true named a))
