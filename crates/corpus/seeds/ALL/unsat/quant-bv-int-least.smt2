; A quantifier over bits about integers; at least seven
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status unsat)
(declare-const n Int)
(assert (forall ((v (_ BitVec 3))) (<= (ubv_to_int v) n)))
(assert (< n 7))
(check-sat)
