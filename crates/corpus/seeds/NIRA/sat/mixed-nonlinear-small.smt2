; Integers and reals multiplied; n = 1 works
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic NIRA)
(set-info :status sat)
(declare-const n Int)
(declare-const r Real)
(assert (= (* r r) (to_real (* n n n))))
(assert (> r 0.0))
(assert (< r 2.0))
(assert (= (to_int r) n))
(check-sat)
