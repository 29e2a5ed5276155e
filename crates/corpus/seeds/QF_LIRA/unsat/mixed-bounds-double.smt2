; An integer squeezed by reals; doubling keeps the floor even
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const n Int)
(declare-const r Real)
(assert (< (to_real n) r (+ (to_real n) 0.5)))
(assert (distinct (to_int (* 2.0 r)) (* 2 n)))
(check-sat)
