; Arrays of functions' values; cell 0 survives
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFLIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-fun g (Int) (Array Int Int))
(assert (= (g 0) a))
(assert (= (g 1) (store (g 0) 0 5)))
(assert (= (g 2) (store (g 1) 1 6)))
(assert (distinct (select (g 2) 0) 5))
(check-sat)
