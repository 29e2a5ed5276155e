; Integer bit-and and powers of two; bits in common
; WHY: x = 6 and y = 12 share 4
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 15))
(assert (<= 0 y 15))
(assert (= ((_ iand 4) x y) 4))
(assert (= (+ x y) 18))
(check-sat)
