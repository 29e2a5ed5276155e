; bvudiv and bvurem by zero are fixed by the standard; all ones and the dividend, nothing else
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 6))
(declare-const y (_ BitVec 6))
(assert (= y (bvand x (bvnot x))))
(assert (or (distinct (bvudiv x y) #b111111) (distinct (bvurem x y) x)))
(check-sat)
