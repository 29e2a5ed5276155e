; Constant arrays over a finite index; negation is an array
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AX)
(set-info :status sat)
(declare-const a (Array Bool Bool))
(assert (= a (store (store a true false) false true)))
(check-sat)
