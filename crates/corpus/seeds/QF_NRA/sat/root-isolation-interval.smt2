; Real roots of x³ - x - 1 and x⁵; between 1.3 and 1.4
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(define-fun p () Real (- (* x x x) x 1.0))
(assert (= p 0.0))
(assert (< 1.3 x 1.4))
(check-sat)
