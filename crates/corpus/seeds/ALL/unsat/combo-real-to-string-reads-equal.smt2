; An array from reals to strings: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Real String))
(declare-const i Real)
(declare-const j Real)
(assert (= (select a j) (str.++ (select a i) "x")))
(assert (= (* 3.0 i) (+ j j j)))
(check-sat)
