; A quantifier over bits about integers; seven will do
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(assert (forall ((v (_ BitVec 3))) (<= (ubv_to_int v) n)))
(assert (exists ((v (_ BitVec 3))) (= (ubv_to_int v) n)))
(check-sat)
