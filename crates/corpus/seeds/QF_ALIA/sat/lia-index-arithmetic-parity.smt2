; Reads at linear index terms; write beside it
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) (* 2 (- x 3))))
(assert (= (select a (- y x)) 1))
(assert (= (select (store a (- 5) 2) (- (+ y 1) x)) (+ 1 (select a (- 6)))))
(assert (< (select a (- 5)) 0))
(check-sat)
