; A sorted range of an array; cells 1 and 3 the wrong way round
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (forall ((i Int) (j Int)) (=> (<= 0 i j n) (<= (select a i) (select a j)))))
(assert (= n 4))
(assert (> (select a 1) (select a 3)))
(check-sat)
