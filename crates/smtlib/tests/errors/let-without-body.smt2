(assert (let ((x 1))))
