(assert (let ((a true) (a false)) a))
