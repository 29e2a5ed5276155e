; Characters and their code points; -1 for anything but one character, so d may be NUL
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const c String)
(declare-const d String)
(assert (= (str.to_code d) (+ 1 (str.to_code c))))
(assert (distinct (str.len c) 1))
(assert (= d "\u{0}"))
(assert (str.prefixof d c))
(check-sat)
