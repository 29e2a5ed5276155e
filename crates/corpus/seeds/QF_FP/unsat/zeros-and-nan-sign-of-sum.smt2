; The two zeros and NaN under =, fp.eq and the classifiers; opposite zeros add to +0 except toward negative
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const z (_ FloatingPoint 5 11))
(declare-const w (_ FloatingPoint 5 11))
(assert (fp.isZero z))
(assert (not (fp.isNegative (fp.add RTN z (fp.neg z)))))
(check-sat)
