; Booleans as terms in every position; three different Booleans
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Bool Bool) Bool)
(declare-const a (Array Bool Bool))
(declare-const p Bool)
(declare-const q Bool)
(assert (= (f p (select a q)) (select a (f q p))))
(assert (distinct (f true p) (f false p)))
(assert (distinct p q (f p q)))
(check-sat)
