; reset starts over with another logic
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(declare-const x (_ BitVec 4))
(assert (bvult x #x0))
(set-info :status unsat)
(check-sat)
(reset)
(set-logic QF_LIA)
(declare-const x Int)
(assert (< x 0))
(set-info :status sat)
(check-sat)
