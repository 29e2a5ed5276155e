; An array from Booleans to reals: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool Real))
(declare-const i Bool)
(declare-const j Bool)
(declare-const e Real)
(declare-fun f ((Array Bool Real)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (xor i j))
(check-sat)
