; Integer bit-and and powers of two; x & y is at most x
; WHY: bitwise and clears bits only
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 15))
(assert (<= 0 y 15))
(assert (> ((_ iand 4) x y) x))
(check-sat)
