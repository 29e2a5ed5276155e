; A chain of strict inequalities; the middle is the mean of its neighbours
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (< a b c))
(assert (= (+ a c) (* 2.0 b)))
(assert (distinct (- c b) (- b a)))
(check-sat)
