; bvudiv and bvurem by zero are fixed by the standard; signed division by zero gives one for a negative dividend
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 6))
(declare-const y (_ BitVec 6))
(assert (= y (bvand x (bvnot x))))
(assert (= (bvsdiv x y) #b000001))
(assert (= (bvsmod x y) (bvsrem x y) #b100101))
(check-sat)
