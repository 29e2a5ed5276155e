; An array from reals to pairs: a cell copied between indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array Real (Pair Int Bool)))
(declare-const i Real)
(declare-const j Real)
(assert (distinct a (store a i (select a j))))
(assert (= (* 3.0 i) (+ j j j)))
(check-sat)
