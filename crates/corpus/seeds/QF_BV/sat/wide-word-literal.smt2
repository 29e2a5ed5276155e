; Width 129, just past two machine words; a decimal literal at the very top
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 129))
(declare-const y (_ BitVec 129))
(assert (= (bvadd x y) (_ bv0 129)))
(assert (= x (_ bv680564733841876926926749214863536422911 129)))
(assert (= y (_ bv1 129)))
(check-sat)
