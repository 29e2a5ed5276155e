; An array from strings to integers: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array String Int))
(declare-const i String)
(declare-const j String)
(assert (= (select a j) (+ 3 (select a i))))
(assert (= (str.++ i "ab") (str.++ j "ab")))
(check-sat)
