; A function on an enumeration is a table; then wed goes to mon if nothing has two origins
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Day ((mon) (tue) (wed)))
(declare-fun next (Day) Day)
(assert (= (next mon) tue))
(assert (= (next tue) wed))
(assert (forall ((x Day) (y Day)) (=> (= (next x) (next y)) (= x y))))
(assert (distinct (next wed) mon))
(check-sat)
