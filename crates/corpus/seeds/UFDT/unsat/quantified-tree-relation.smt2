; Every tree has a leftmost leaf; a relation closed under subtrees reaches the leaf
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic UFDT)
(set-info :status unsat)
(declare-datatype T ((leaf) (node (l T) (r T))))
(declare-fun depth (T T) Bool)
(declare-const t T)
(assert (forall ((x T) (y T)) (=> (depth t (node x y)) (depth t x))))
(assert (depth t (node (node leaf t) t)))
(assert (not (depth t leaf)))
(check-sat)
