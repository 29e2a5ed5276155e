; match over an option; an option of an option
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Option 1)) ((par (T) ((none) (some (get T))))))
(declare-const o (Option Int))
(declare-const p (Option (Option Int)))
(define-fun or-else ((x (Option Int)) (d Int)) Int (match x (((some v) v) (none d))))
(assert (= 3 (match p ((none 0) ((some q) (match q ((none 1) ((some v) v))))))))
(assert (distinct p (some (some 3))))
(check-sat)
