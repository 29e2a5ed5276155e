; str.is_digit is about single digits; never of length two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const c String)
(assert (str.is_digit c))
(assert (= c (str.++ (str.at c 0) (str.at c 1))))
(assert (distinct (str.at c 1) ""))
(check-sat)
