; An array indexed by arrays (cvc5 has none); keys that differ in one cell
; WHY: a = [true:1], b = [true:0], rest equal; m maps a to 1 and b to 0
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const m (Array (Array Bool Int) Int))
(declare-const a (Array Bool Int))
(declare-const b (Array Bool Int))
(assert (distinct (select m a) (select m b)))
(assert (= (store a true 0) (store b true 0)))
(assert (= (select m (store b true 1)) (select m a) 1))
(check-sat)
