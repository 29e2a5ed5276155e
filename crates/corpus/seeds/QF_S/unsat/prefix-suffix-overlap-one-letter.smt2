; A border of a word; a word of one letter has no proper border
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const w String)
(declare-const b String)
(assert (and (str.prefixof b w) (str.suffixof b w)))
(assert (distinct b w ""))
(assert (= (str.len w) 1))
(check-sat)
