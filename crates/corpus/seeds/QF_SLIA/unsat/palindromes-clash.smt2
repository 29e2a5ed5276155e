; Palindromes by position; two different ends
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const w String)
(assert (= (str.len w) 4))
(assert (= (str.at w 0) (str.at w 3)))
(assert (= (str.at w 1) (str.at w 2)))
(assert (str.prefixof "ab" w))
(assert (str.suffixof "ab" w))
(check-sat)
