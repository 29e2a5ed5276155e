; str.indexof at and beyond the ends; no result outside
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (or (< i 0) (> i (str.len x))))
(assert (distinct (str.indexof x "" i) (- 1)))
(check-sat)
