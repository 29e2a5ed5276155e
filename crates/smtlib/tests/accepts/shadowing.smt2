; Binders shadow declarations and operators, innermost first.
(set-logic ALL)
(declare-const x Int)
(assert (let ((x true)) (and x (let ((x 1)) (= x 1)))))
(assert (forall ((x Real)) (let ((y x)) (exists ((x Bool)) (or x (> y 0.0))))))
(assert (forall ((x Int) (x Bool)) x))
(assert (let ((and x)) true))
(check-sat)
