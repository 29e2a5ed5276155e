; str.indexof at and beyond the ends; a second occurrence after the first
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const i Int)
(assert (= i (str.indexof x "aba" 0)))
(assert (= (str.indexof x "aba" (+ i 1)) (+ i 2)))
(assert (> i 0))
(check-sat)
