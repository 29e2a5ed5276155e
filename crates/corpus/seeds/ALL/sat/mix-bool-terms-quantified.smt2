; Booleans as terms in every position; a quantifier over Bool
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-fun f (Bool Bool) Bool)
(declare-const a (Array Bool Bool))
(declare-const p Bool)
(declare-const q Bool)
(assert (= (f p (select a q)) (select a (f q p))))
(assert (distinct (f true p) (f false p)))
(assert (forall ((x Bool)) (exists ((y Bool)) (= (f x y) (not (select a x))))))
(assert (select a p))
(check-sat)
