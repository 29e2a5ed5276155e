; Real difference constraints with strict bounds; a cycle of weight zero is strict
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_RDL)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< (- x y) 1.5))
(assert (< (- y z) (- 2.5)))
(assert (<= (- z x) 1.0))
(check-sat)
