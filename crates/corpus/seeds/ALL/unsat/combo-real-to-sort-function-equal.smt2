; An array from reals to an uninterpreted sort: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array Real U))
(declare-const i Real)
(declare-const j Real)
(declare-const e U)
(declare-fun f ((Array Real U)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (* 3.0 i) (+ j j j)))
(check-sat)
