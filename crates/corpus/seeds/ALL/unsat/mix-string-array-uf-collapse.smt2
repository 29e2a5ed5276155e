; Three containers of one text; equal texts, equal codes
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const d (Array Int String))
(declare-fun g (String) Int)
(declare-const x String)
(assert (= (g (select d (g x))) (str.len x)))
(assert (= (select d (g x)) x))
(assert (distinct (g x) (str.len x)))
(check-sat)
