; Three containers of one text; a text stored elsewhere
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const d (Array Int String))
(declare-fun g (String) Int)
(declare-const x String)
(assert (= (g (select d (g x))) (str.len x)))
(assert (= (select d 4) "four"))
(assert (= (g x) 4))
(assert (distinct (str.len x) (g "five")))
(check-sat)
