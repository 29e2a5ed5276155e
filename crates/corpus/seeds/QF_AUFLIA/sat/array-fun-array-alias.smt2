; Arrays of functions' values; two of them may be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFLIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-fun g (Int) (Array Int Int))
(assert (= (g 0) a))
(assert (= (g 1) (store (g 0) 0 5)))
(assert (= (g 2) (store (g 1) 1 6)))
(assert (= (g 2) (g 0)))
(assert (= (g (select a 0)) (g (select a 1))))
(check-sat)
