; cvc5's built-in tuples; components are what was put in
; WHY: selecting from a tuple gives its component, here 2, not 3
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const t (Tuple Int Bool (_ BitVec 3)))
(assert (= t (tuple 2 true #b101)))
(assert (= ((_ tuple.select 0) t) 3))
(check-sat)
