; Division and remainder by a variable; a mod b and -a mod b add up to b or 0
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (< 0 b a 30))
(assert (distinct (+ (mod a b) (mod (- a) b)) (ite (= (mod a b) 0) 0 b)))
(check-sat)
