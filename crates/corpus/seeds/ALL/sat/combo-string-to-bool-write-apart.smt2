; An array from strings to Booleans: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array String Bool))
(declare-const i String)
(declare-const j String)
(declare-const e Bool)
(define-fun b () (Array String Bool) (store a i e))
(assert (xor (select b j) e))
(assert (str.prefixof i j))
(assert (distinct (str.len i) (str.len j)))
(check-sat)
