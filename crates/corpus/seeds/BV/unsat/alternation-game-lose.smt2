; A two-move game on five bits; with an even answer only, odd goals are lost
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status unsat)
(declare-const goal (_ BitVec 5))
(assert (forall ((m (_ BitVec 5))) (exists ((r (_ BitVec 5))) (= (bvadd (bvshl m #b00001) (bvshl r #b00001)) (bvor goal #b00001)))))
(check-sat)
