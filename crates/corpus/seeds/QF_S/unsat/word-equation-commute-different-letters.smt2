; xy = yx means powers of one word; no solution with different first letters
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) (str.++ y x)))
(assert (str.prefixof "a" x))
(assert (str.prefixof "b" y))
(check-sat)
