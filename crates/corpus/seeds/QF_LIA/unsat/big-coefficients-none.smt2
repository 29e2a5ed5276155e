; Coefficients that force cuts; but not for one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 12345 x) (* 6789 y)) 3))
(assert (= (+ (* 12345 y) (* 6789 x)) 1))
(check-sat)
