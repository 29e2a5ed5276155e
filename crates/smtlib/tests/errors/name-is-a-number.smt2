(assert (! true :named 3))
