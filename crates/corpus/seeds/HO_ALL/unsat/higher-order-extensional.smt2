; A function as an argument; equal functions
; WHY: functions equal everywhere are equal, so twice cannot tell them apart
; CONFIRMED: cvc5@1.4.2
(set-logic HO_ALL)
(set-info :status unsat)
(declare-fun twice ((-> Int Int)) Int)
(declare-const f (-> Int Int))
(declare-const g (-> Int Int))
(assert (forall ((x Int)) (= (f x) (g x))))
(assert (distinct (twice f) (twice g)))
(check-sat)
