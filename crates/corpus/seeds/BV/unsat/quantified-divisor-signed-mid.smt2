; Quantifiers over bytes; every number has one at distance exactly half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic BV)
(set-info :status unsat)
(declare-const d (_ BitVec 4))
(assert (not (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (and (= (bvsub y x) #x8) (distinct (bvslt x #x0) (bvslt y #x0)))))))
(check-sat)
