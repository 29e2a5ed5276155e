; The two zeros and NaN under =, fp.eq and the classifiers; NaN is neither positive nor negative
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const z (_ FloatingPoint 5 11))
(declare-const w (_ FloatingPoint 5 11))
(assert (fp.isZero z))
(assert (fp.isNaN w))
(assert (or (fp.isPositive w) (fp.isNegative w)))
(check-sat)
