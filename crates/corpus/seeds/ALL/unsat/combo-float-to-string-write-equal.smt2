; An array from floats to strings: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Float32 String))
(declare-const i Float32)
(declare-const j Float32)
(declare-const e String)
(define-fun b () (Array Float32 String) (store a i e))
(assert (= e (str.++ (select b j) "x")))
(assert (fp.eq i j))
(assert (not (fp.isZero i)))
(check-sat)
