; A function as an argument; a lambda term
; WHY: f = x + 1 gives f 3 = 4; twice is free
; CONFIRMED: cvc5@1.4.2
(set-logic HO_ALL)
(set-info :status sat)
(declare-fun twice ((-> Int Int)) Int)
(declare-const f (-> Int Int))
(declare-const g (-> Int Int))
(assert (= f (lambda ((x Int)) (+ x 1))))
(assert (= (twice f) (f 3)))
(assert (distinct (twice g) 4))
(check-sat)
