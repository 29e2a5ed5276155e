; Pairs as keys; k is next to it
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (first A) (second B))))))
(declare-const m (Array (Pair Int Bool) Real))
(declare-const k (Pair Int Bool))
(assert (= (select m (pair 1 true)) 0.5))
(assert (> (select m k) (select m (pair 1 true))))
(assert (= (select (store m k 0.25) (pair (- (first k) 1) (not (second k)))) 0.5))
(check-sat)
