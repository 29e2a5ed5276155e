(assert (exists ((x)) true))
