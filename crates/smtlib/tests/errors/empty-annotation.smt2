(assert (! true))
