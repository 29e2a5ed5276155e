; An array from floats to integers: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Float32 Int))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e Int)
(define-fun b () (Array Float32 Int) (store a i e))
(assert (= e (+ 3 (select b j))))
(assert (fp.eq i j))
(assert (distinct i j))
(check-sat)
