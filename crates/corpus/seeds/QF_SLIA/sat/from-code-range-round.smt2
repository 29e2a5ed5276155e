; str.from_code outside the range is empty; codes survive
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const k Int)
(declare-const s String)
(assert (= s (str.from_code k)))
(assert (= (str.to_code (str.++ s "")) (- k 0)))
(assert (> k 120000))
(assert (str.< "z" s))
(check-sat)
