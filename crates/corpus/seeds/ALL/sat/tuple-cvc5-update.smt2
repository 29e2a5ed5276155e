; cvc5's built-in tuples; a component is replaced
; WHY: t = (1, true, 000) with the third component replaced by 111 is the right-hand side
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const t (Tuple Int Bool (_ BitVec 3)))
(assert (= ((_ tuple.update 2) t #b111) (tuple 1 true #b111)))
(assert (distinct ((_ tuple.select 2) t) #b111))
(check-sat)
