; Arrays passed to a function and back; a cell of it
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFLIA)
(set-info :status sat)
(declare-fun f ((Array Int Int)) (Array Int Int))
(declare-const a (Array Int Int))
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
(assert (= (select (f a) (select a 0)) (+ 1 (select a 0))))
(check-sat)
