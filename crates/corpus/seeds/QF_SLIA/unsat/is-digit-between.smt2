; str.is_digit is about single digits; in code order
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const c String)
(assert (str.is_digit c))
(assert (not (and (str.<= "0" c) (str.<= c "9"))))
(check-sat)
