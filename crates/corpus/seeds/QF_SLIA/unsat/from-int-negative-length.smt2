; str.from_int of a negative number is empty; three digits
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const k Int)
(declare-const x String)
(assert (= x (str.from_int k)))
(assert (= (str.len x) 3))
(assert (< k 100))
(check-sat)
