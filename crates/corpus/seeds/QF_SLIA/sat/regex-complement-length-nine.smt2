; Complement and intersection; odd multiple of three
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(define-fun even () RegLan (re.* (re.++ re.allchar re.allchar)))
(assert (str.in_re x (re.diff (re.* ((_ re.^ 3) re.allchar)) even)))
(assert (> (str.len x) 3))
(assert (not (str.contains x "a")))
(check-sat)
