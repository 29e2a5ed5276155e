; match over an option; any value
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Option 1)) ((par (T) ((none) (some (get T))))))
(declare-const o (Option Int))
(declare-const p (Option (Option Int)))
(define-fun or-else ((x (Option Int)) (d Int)) Int (match x (((some v) v) (none d))))
(assert (= (or-else o 5) (+ 1 (match p ((none (or-else o 4)) (other 8))))))
(assert (distinct o (as none (Option Int))))
(check-sat)
