; An array from floats to arrays of integers: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 (Array Bool Int)))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e (Array Bool Int))
(define-fun b () (Array Float32 (Array Bool Int)) (store a i e))
(assert (< (select (select b j) true) (select e true)))
(assert (fp.isNaN i))
(assert (not (fp.isNaN j)))
(check-sat)
