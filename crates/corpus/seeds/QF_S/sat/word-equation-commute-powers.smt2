; xy = yx means powers of one word; lengths 2 and 3 over one letter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) (str.++ y x)))
(assert (= (str.len x) 2))
(assert (= (str.len y) 3))
(assert (distinct (str.at x 0) "a"))
(check-sat)
