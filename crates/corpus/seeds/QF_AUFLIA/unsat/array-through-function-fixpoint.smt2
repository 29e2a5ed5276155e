; Arrays passed to a function and back; then f a = a
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFLIA)
(set-info :status unsat)
(declare-fun f ((Array Int Int)) (Array Int Int))
(declare-const a (Array Int Int))
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
(assert (distinct (f a) a))
(check-sat)
