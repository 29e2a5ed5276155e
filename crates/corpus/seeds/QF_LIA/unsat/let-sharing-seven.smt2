; A doubling chain written with let; eleven times seven
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(assert (let ((a (+ x x))) (let ((b (+ a a))) (let ((c (+ b b)) (a (- b x))) (let ((d (+ c a))) (= d 77))))))
(assert (distinct x 7))
(check-sat)
