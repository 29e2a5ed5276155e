; Difference constraints; c last
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_IDL)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (and (>= (- b a) 3) (>= (- c b) 2) (<= (- d a) 7)))
(assert (or (>= (- d c) 3) (>= (- c d) 4)))
(assert (>= (- c d) 0))
(assert (distinct a b c d))
(check-sat)
