; Division and remainder by a variable; q = r
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(assert (< 0 b a 30))
(assert (= (div a b) (mod a b) 3))
(check-sat)
