; Alternations with functions; a maximum exists by assumption, and is exceeded
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+enum-inst
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun f (Int Int) Int)
(assert (exists ((m Int)) (forall ((x Int)) (<= (f x x) m))))
(assert (forall ((x Int)) (= (f x x) (* 2 x))))
(check-sat)
