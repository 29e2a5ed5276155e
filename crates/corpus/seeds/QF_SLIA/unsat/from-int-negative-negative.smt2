; str.from_int of a negative number is empty; and only of those
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const k Int)
(declare-const x String)
(assert (= x (str.from_int k)))
(assert (= x ""))
(assert (>= k 0))
(check-sat)
