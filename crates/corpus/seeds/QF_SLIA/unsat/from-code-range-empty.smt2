; str.from_code outside the range is empty; hence an empty result means out of range
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const k Int)
(declare-const s String)
(assert (= s (str.from_code k)))
(assert (= s ""))
(assert (<= 0 k 196607))
(check-sat)
