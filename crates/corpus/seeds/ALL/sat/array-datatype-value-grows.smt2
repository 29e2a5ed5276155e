; Records stored in an array and updated in place (cvc5's updater); ages
; WHY: g 2 = (true, 7) gives h 3 = (true, 8), so g 3 with age 4 satisfies all
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Cell ((cell (live Bool) (age Int))))
(declare-const g (Array Int Cell))
(define-fun older ((c Cell)) Cell ((_ update age) c (+ 1 (age c))))
(define-fun h () (Array Int Cell) (store g 3 (older (select g 2))))
(assert (= (age (select h 3)) (+ 4 (age (select g 3)))))
(assert (= (select h 2) (cell true 7)))
(check-sat)
