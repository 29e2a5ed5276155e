; Relations: join, transpose, product, closure; a pair and its way back
; WHY: r = {(1,2),(2,1)} gives t = {(1,1),(2,2)}
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const r (Relation Int Int))
(declare-const t (Relation Int Int))
(assert (= t (rel.join r r)))
(assert (= r (rel.transpose r)))
(assert (set.member (tuple 1 2) r))
(assert (set.member (tuple 1 1) t))
(assert (not (set.member (tuple 1 1) r)))
(check-sat)
