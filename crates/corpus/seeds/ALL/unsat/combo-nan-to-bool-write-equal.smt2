; An array from floats to Booleans: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 Bool))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e Bool)
(define-fun b () (Array Float32 Bool) (store a i e))
(assert (xor (select b j) e))
(assert (fp.isNaN i))
(assert (fp.isNaN (fp.add RNE j (fp.sub RNE j j))))
(assert (not (fp.isInfinite j)))
(check-sat)
