(assert (let ((x 1) (y x)) (= x y)))
