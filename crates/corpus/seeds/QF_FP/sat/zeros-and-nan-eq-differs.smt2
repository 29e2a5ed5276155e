; The two zeros and NaN under =, fp.eq and the classifiers; fp.eq without =
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const z (_ FloatingPoint 5 11))
(declare-const w (_ FloatingPoint 5 11))
(assert (fp.isZero z))
(assert (fp.eq z w))
(assert (distinct z w))
(assert (fp.isNegative w))
(check-sat)
