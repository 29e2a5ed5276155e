; re.range with bad arguments is empty; a range over escapes
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 2) (re.range "\u{3b1}" "\u{3c9}"))))
(assert (str.< (str.at x 1) (str.at x 0)))
(assert (not (str.contains x "\u03c9")))
(check-sat)
