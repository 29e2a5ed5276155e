; A function that is a value, applied as z3 and cvc5 both read it. Printed with @, which z3 is told as select.
(set-logic HO_ALL)
(declare-const f (-> Int Int))
(assert (= (f 1) 2))
(assert (forall ((g (-> Int Int))) (= (g 1) (g 1))))
(check-sat)
