; An array from reals to floats: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Real Float32))
(declare-const i Real)
(declare-const j Real)
(declare-const e Float32)
(declare-fun f ((Array Real Float32)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= i (/ j 2.0)))
(assert (> j 0.0))
(check-sat)
