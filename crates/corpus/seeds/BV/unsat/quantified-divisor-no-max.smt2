; Quantifiers over bytes; not every value has a larger one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status unsat)
(declare-const d (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (bvugt y x))))
(check-sat)
