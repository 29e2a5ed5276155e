(assert (let (x 1) true))
