; z3's map over arrays and arrays as sets; pointwise and
; WHY: the pointwise and of a and b is true only where both are
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Bool))
(declare-const b (Array Int Bool))
(assert (select ((_ map and) a b) 3))
(assert (not (select a 3)))
(check-sat)
