; Congruence through a product; commuted factors
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFNIA)
(set-info :status unsat)
(declare-fun f (Int Int) Int)
(declare-const a Int)
(declare-const b Int)
(assert (= (f (* a b) 0) 1))
(assert (distinct (f (* b a) (- (f (* a b) 0) 1)) 1))
(check-sat)
