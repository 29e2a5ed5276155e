(assert (let ((x)) true))
