; An array from strings to reals: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array String Real))
(declare-const i String)
(declare-const j String)
(assert (< (+ 0.5 (select a i)) (select a j)))
(assert (str.prefixof i j))
(assert (distinct (str.len i) (str.len j)))
(check-sat)
