; A function from Bool; p after f as negation
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun f (Bool) U)
(declare-fun p (U) Bool)
(declare-const q Bool)
(assert (= (p (f q)) (not q)))
(assert (= (p (f (not q))) q))
(check-sat)
