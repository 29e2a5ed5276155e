; An array from reals to Boolean sequences: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Real (Seq Bool)))
(declare-const i Real)
(declare-const j Real)
(declare-const e (Seq Bool))
(define-fun b () (Array Real (Seq Bool)) (store a i e))
(assert (= (seq.len e) (+ 1 (seq.len (select b j)))))
(assert (= i (/ j 2.0)))
(assert (> j 0.0))
(check-sat)
