; z3's map over arrays and arrays as sets; complement
; WHY: b = complement of a, with a true at 0 and false at 1
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int Bool))
(declare-const b (Array Int Bool))
(assert (= b ((_ map not) a)))
(assert (xor (select a 0) (select a 1)))
(check-sat)
