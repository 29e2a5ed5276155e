(assert (forall ((x Int) (x Int)) (> x 0)))
