; An array from Booleans to floats: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool Float32))
(declare-const i Bool)
(declare-const j Bool)
(declare-const e Float32)
(define-fun b () (Array Bool Float32) (store a i e))
(assert (fp.lt (select b j) e))
(assert (xor i j))
(check-sat)
