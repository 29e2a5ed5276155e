; Escapes of every form; where things are
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(assert (= x (str.++ "\u{1F600}" "\u0041" "\u{41}" "\ud")))
(assert (= (str.at x 1) (str.at x 2) "A"))
(assert (= (str.indexof x "ud" 0) 4))
(check-sat)
