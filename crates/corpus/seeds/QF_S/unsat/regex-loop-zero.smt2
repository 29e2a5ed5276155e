; re.loop and its corner cases; zero times is the empty word only
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.union ((_ re.loop 0 0) re.all) ((_ re.^ 0) re.none))))
(assert (distinct x ""))
(check-sat)
