; xa = bx style equations; x01y = y10x
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "01" y) (str.++ y "10" x)))
(assert (< (+ (str.len x) (str.len y)) 4))
(check-sat)
