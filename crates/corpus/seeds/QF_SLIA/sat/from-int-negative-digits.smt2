; str.from_int of a negative number is empty; ends in 7 and reads the same in reverse
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const k Int)
(declare-const x String)
(assert (= x (str.from_int k)))
(assert (= (str.at x 0) (str.at x 2) "7"))
(assert (> k 750))
(check-sat)
