; cvc5's str.rev, str.update, str.to_lower; a reversal that is not itself
; WHY: reversing a concatenation reverses the order of the parts, so x ends in b reversed, which is ba
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.rev x) (str.++ "ab" (str.rev "cd"))))
(assert (distinct x "cdba"))
(check-sat)
