; An array from Booleans to integers: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Bool Int))
(declare-const i Bool)
(declare-const j Bool)
(declare-const e Int)
(declare-fun f ((Array Bool Int)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (not (xor i j)))
(check-sat)
