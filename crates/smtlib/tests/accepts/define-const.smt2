; define-const is z3's and SMT-LIB 2.7's.
(define-const two Int 2)
(define-const half Real 0.5)
(assert (= two 2))
(assert (< half 1.0))
(check-sat)
