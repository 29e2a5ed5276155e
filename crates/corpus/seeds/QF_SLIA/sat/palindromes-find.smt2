; Palindromes by position; inside a language
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const w String)
(assert (= (str.len w) 4))
(assert (= (str.at w 0) (str.at w 3)))
(assert (= (str.at w 1) (str.at w 2)))
(assert (str.in_re w (re.++ (str.to_re "n") (re.* re.allchar) (re.range "l" "o"))))
(assert (str.< "oz" (str.substr w 1 2)))
(check-sat)
