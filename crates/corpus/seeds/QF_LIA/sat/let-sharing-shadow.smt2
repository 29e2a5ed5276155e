; A doubling chain written with let; a second chain with a shadowed name
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(assert (let ((a (+ x x))) (let ((b (+ a a))) (let ((c (+ b b)) (a (- b x))) (let ((d (+ c a))) (= d 77))))))
(assert (let ((x (+ x 1))) (let ((x (* x 2))) (let ((y x)) (> y 15)))))
(check-sat)
