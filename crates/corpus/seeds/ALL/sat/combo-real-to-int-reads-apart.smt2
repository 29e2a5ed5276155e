; An array from reals to integers: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Real Int))
(declare-const i Real)
(declare-const j Real)
(assert (= (select a j) (+ 3 (select a i))))
(assert (= i (/ j 2.0)))
(assert (> j 0.0))
(check-sat)
