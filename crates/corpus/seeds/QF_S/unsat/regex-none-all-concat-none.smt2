; re.none, re.all, re.allchar; nothing follows nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.union (re.++ re.all re.none) (re.inter re.allchar (re.comp re.all)))))
(check-sat)
