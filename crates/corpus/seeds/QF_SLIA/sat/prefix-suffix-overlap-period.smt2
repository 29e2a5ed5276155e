; A border of a word; longer than half
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const w String)
(declare-const b String)
(assert (and (str.prefixof b w) (str.suffixof b w)))
(assert (distinct b w ""))
(assert (> (* 2 (str.len b)) (str.len w)))
(assert (= (str.len w) 5))
(check-sat)
