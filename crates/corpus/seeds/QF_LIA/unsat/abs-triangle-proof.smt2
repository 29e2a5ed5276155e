; The triangle inequality; holds
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (> (abs (+ x y z)) (+ (abs x) (abs y) (abs z))))
(check-sat)
