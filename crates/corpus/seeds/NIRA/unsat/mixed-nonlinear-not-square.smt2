; Integers and reals multiplied; otherwise irrational, so twice r is no integer either
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic NIRA)
(set-info :status unsat)
(declare-const n Int)
(declare-const r Real)
(assert (= (* r r) (to_real (* n n n))))
(assert (> r 0.0))
(assert (= n 2))
(assert (is_int (* 2.0 r)))
(check-sat)
