; Signs of a product of three; hence z is negative
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< (* x y z) 0.0))
(assert (> (* x y) 0.0))
(assert (>= z 0.0))
(check-sat)
