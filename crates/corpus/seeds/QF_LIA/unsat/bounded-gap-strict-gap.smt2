; An unbounded-looking problem with a gap; and none between
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (< 0 (- (* 3 x) (* 3 y)) 6))
(assert (< 3 (- (* 3 x) (* 3 y))))
(check-sat)
