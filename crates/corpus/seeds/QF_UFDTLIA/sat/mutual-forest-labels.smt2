; Mutually recursive trees and forests; a parent with a larger child
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFDTLIA)
(set-info :status sat)
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (label Int) (children Forest))) ((empty) (grow (first Tree) (rest Forest)))))
(declare-const t Tree)
(declare-const f Forest)
(assert (= (children t) (grow (node (+ 1 (label t)) f) (rest f))))
(assert ((_ is grow) f))
(assert (< (label (first f)) (label t)))
(check-sat)
