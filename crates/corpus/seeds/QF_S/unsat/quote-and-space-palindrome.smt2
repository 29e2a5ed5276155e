; A doubled quote is one character; of three characters
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (= x (str.++ """" " " "\u{22}")))
(assert (or (distinct (str.len x) 3) (distinct (str.at x 0) (str.at x 2))))
(check-sat)
