; An array from strings to pairs: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-const a (Array String (Pair Int Bool)))
(declare-const i String)
(declare-const j String)
(declare-const e (Pair Int Bool))
(define-fun b () (Array String (Pair Int Bool)) (store a i e))
(assert (= (fst (select b j)) (+ 1 (fst e))))
(assert (str.prefixof i j))
(assert (distinct (str.len i) (str.len j)))
(check-sat)
