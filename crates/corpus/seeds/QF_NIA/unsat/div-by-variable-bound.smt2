; Division and remainder by a variable; the quotient is positive and not larger than a
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (< 0 b a 30))
(assert (not (<= 1 (div a b) a)))
(check-sat)
