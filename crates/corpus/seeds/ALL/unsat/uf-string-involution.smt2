; An uninterpreted translation of strings; a clash with itself
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(set-option :produce-models true)
(declare-fun tr (String) String)
(declare-const x String)
(assert (= (tr (tr x)) x))
(assert (= (tr (str.++ x "a")) (str.++ (tr x) "b")))
(assert (= x "b"))
(assert (= (tr "ba") (tr "b")))
(check-sat)
