; Macros, defined sorts and named terms; an even number with the wrong size
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-sort Pred (T) (Array T Bool))
(declare-fun size (Int) Int)
(define-fun even ((n Int)) Bool (= (mod n 2) 0))
(assert (! (forall ((n Int)) (=> (even n) (= (size n) (div n 2)))) :named halves))
(assert (! (distinct (size 10) 5) :named wrong))
(check-sat)
