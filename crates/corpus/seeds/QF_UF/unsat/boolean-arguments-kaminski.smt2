; A function from Bool; f³ = f on Booleans
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (Bool) U)
(declare-fun p (U) Bool)
(declare-const q Bool)
(declare-fun g (Bool) Bool)
(assert (distinct (g (g (g q))) (g q)))
(check-sat)
