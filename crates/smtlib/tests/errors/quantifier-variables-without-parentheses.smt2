(assert (exists (x Int) true))
