; Reads through ite of arrays and of indices; the other cell
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int Bool))
(declare-const b (Array Int Bool))
(declare-const p Bool)
(declare-const i Int)
(define-fun c () (Array Int Bool) (ite p (store a i true) (store b (+ i 1) false)))
(assert (xor (select c i) (select c (+ i 1))))
(assert (= (select a i) (select b i) p))
(check-sat)
