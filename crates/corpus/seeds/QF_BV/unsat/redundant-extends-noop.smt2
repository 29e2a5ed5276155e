; Extension by zero bits and repeated once; change nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 3))
(assert (or (distinct ((_ zero_extend 0) x) x) (distinct ((_ repeat 1) x) x) (distinct ((_ rotate_left 3) x) x) (distinct ((_ extract 2 0) x) ((_ sign_extend 0) x))))
(check-sat)
