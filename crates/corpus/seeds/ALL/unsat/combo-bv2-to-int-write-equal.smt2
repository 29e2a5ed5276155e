; An array from two-bit vectors to integers: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (_ BitVec 2) Int))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(declare-const e Int)
(define-fun b () (Array (_ BitVec 2) Int) (store a i e))
(assert (= e (+ 3 (select b j))))
(assert (= (bvand (bvnot i) j) (bvand i (bvnot j)) #b00))
(check-sat)
