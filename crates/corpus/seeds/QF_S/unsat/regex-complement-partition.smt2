; Complement and intersection; a word is even or odd
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun even () RegLan (re.* (re.++ re.allchar re.allchar)))
(assert (not (xor (str.in_re x even) (str.in_re x (re.comp even)))))
(check-sat)
