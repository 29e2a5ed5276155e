; Cardinality of finite sets; inclusion and exclusion
; WHY: |a| + |b| = |a union b| + |a inter b|, so the right-hand side must be 3
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (= (set.card (set.union a b)) 3))
(assert (distinct (- (+ (set.card a) (set.card b)) (set.card (set.inter a b))) 3))
(check-sat)
