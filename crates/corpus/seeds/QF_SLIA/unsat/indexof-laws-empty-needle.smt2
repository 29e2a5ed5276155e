; str.indexof at and beyond the ends; the empty needle is found wherever the start is legal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (<= 0 i (str.len x)))
(assert (distinct (str.indexof x "" i) i))
(check-sat)
