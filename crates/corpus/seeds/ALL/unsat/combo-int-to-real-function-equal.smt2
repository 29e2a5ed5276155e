; An array from integers to reals: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Real))
(declare-const i Int)
(declare-const j Int)
(declare-const e Real)
(declare-fun f ((Array Int Real)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (<= i j))
(assert (< (* 2 j) (+ i i 1)))
(check-sat)
