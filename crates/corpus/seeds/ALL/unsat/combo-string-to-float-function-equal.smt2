; An array from strings to floats: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array String Float32))
(declare-const i String)
(declare-const j String)
(declare-const e Float32)
(declare-fun f ((Array String Float32)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (str.++ i "ab") (str.++ j "ab")))
(check-sat)
