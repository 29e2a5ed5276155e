; Mutually recursive trees and forests; no tree is its own grandchild
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFDTLIA)
(set-info :status unsat)
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (label Int) (children Forest))) ((empty) (grow (first Tree) (rest Forest)))))
(declare-const t Tree)
(declare-const f Forest)
(assert (= t (node 1 (grow (node 2 (grow t empty)) empty))))
(check-sat)
