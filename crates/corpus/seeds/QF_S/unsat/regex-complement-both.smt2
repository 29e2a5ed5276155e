; Complement and intersection; even and divisible by three is divisible by six
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun even () RegLan (re.* (re.++ re.allchar re.allchar)))
(assert (str.in_re x (re.inter even (re.* ((_ re.^ 3) re.allchar)))))
(assert (not (str.in_re x (re.* ((_ re.^ 6) re.allchar)))))
(check-sat)
