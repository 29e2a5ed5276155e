; Relations: join, transpose, product, closure; r composed twice lies in its closure
; WHY: the transitive closure contains every composition of r with itself
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const r (Relation Int Int))
(declare-const t (Relation Int Int))
(assert (= t (rel.join r r)))
(assert (not (set.subset t (rel.tclosure r))))
(check-sat)
