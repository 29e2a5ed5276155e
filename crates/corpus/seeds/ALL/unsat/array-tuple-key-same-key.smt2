; Pairs as keys; k is that pair after all
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (first A) (second B))))))
(declare-const m (Array (Pair Int Bool) Real))
(declare-const k (Pair Int Bool))
(assert (= (select m (pair 1 true)) 0.5))
(assert (> (select m k) (select m (pair 1 true))))
(assert (= (first k) 1))
(assert (second k))
(check-sat)
