; An array is a permutation of its indices; a cycle of length four
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (_ BitVec 2) (_ BitVec 2)))
(assert (forall ((i (_ BitVec 2)) (j (_ BitVec 2))) (=> (distinct i j) (distinct (select a i) (select a j)))))
(assert (= (select a #b00) #b01))
(assert (= (select a #b01) #b10))
(assert (distinct (select a #b10) #b00))
(assert (= (select a #b11) #b00))
(check-sat)
