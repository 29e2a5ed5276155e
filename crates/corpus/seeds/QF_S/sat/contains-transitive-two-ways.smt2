; Containment; two words inside one another's double
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const a String)
(declare-const b String)
(declare-const c String)
(assert (str.contains a b))
(assert (str.contains b c))
(assert (str.contains (str.++ c c) a))
(assert (distinct a b c))
(check-sat)
