; An array from reals to reals: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Real Real))
(declare-const i Real)
(declare-const j Real)
(declare-const e Real)
(define-fun b () (Array Real Real) (store a i e))
(assert (< (+ 0.5 (select b j)) e))
(assert (= (* 3.0 i) (+ j j j)))
(check-sat)
