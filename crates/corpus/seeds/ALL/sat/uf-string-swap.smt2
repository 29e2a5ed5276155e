; An uninterpreted translation of strings; exchange two words
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(set-option :produce-models true)
(declare-fun tr (String) String)
(declare-const x String)
(assert (= (tr (tr x)) x))
(assert (= (tr (str.++ x "a")) (str.++ (tr x) "b")))
(assert (= x "a"))
(assert (= (tr "aa") "ab"))
(check-sat)
