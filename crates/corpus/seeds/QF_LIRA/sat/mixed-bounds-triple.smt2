; An integer squeezed by reals; tripling may not keep it a multiple of three
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIRA)
(set-info :status sat)
(declare-const n Int)
(declare-const r Real)
(assert (< (to_real n) r (+ (to_real n) 0.5)))
(assert (> (* 3.0 r) (to_real (+ 1 (* 3 n)))))
(assert (< n (- 10)))
(check-sat)
