; A chain of strict inequalities; there is room
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status sat)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (< a b c))
(assert (= (+ a c) (* 2.0 b)))
(assert (< (- c a) (/ 1.0 1000000000)))
(assert (> a (- c (- b a) (/ 1.0 10000000000))))
(check-sat)
