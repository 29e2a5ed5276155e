; match over an option; none gives the default
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Option 1)) ((par (T) ((none) (some (get T))))))
(declare-const o (Option Int))
(declare-const p (Option (Option Int)))
(define-fun or-else ((x (Option Int)) (d Int)) Int (match x (((some v) v) (none d))))
(assert (= o (as none (Option Int))))
(assert (distinct (or-else o 7) 7))
(check-sat)
