; An array from integers to floats: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Float32))
(declare-const i Int)
(declare-const j Int)
(declare-const e Float32)
(define-fun b () (Array Int Float32) (store a i e))
(assert (fp.lt (select b j) e))
(assert (<= i j))
(assert (< (* 2 j) (+ i i 1)))
(check-sat)
