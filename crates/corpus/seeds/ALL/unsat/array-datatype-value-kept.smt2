; Records stored in an array and updated in place (cvc5's updater); the update keeps the flag
; WHY: updating one field leaves the other, so live (h 3) = live (g 2) = true
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Cell ((cell (live Bool) (age Int))))
(declare-const g (Array Int Cell))
(define-fun older ((c Cell)) Cell ((_ update age) c (+ 1 (age c))))
(define-fun h () (Array Int Cell) (store g 3 (older (select g 2))))
(assert (live (select g 2)))
(assert (not (live (select h 3))))
(check-sat)
