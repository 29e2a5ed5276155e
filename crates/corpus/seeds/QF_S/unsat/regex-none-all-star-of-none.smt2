; re.none, re.all, re.allchar; the star of nothing is the empty word
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (xor (str.in_re x (re.* re.none)) (= x "")))
(check-sat)
