; cvc5: finite fields.
(set-logic QF_FF)
(declare-fun x () (_ FiniteField 17))
(declare-fun y () (_ FiniteField 17))
(assert (= (ff.mul x x) (as ff-1 (_ FiniteField 17))))
(assert (= (ff.add x y) (as ff3 (_ FiniteField 17))))
(check-sat)
