; Lengths in equations; and no shorter one either
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x x) (str.++ y "ab" y)))
(assert (< (str.len x) 3))
(check-sat)
