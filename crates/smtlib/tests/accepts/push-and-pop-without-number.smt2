; z3 lets push and pop stand without a number.
(push)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(pop)
(declare-const x Bool)
(assert x)
(check-sat)
