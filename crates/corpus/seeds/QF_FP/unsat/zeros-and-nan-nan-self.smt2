; The two zeros and NaN under =, fp.eq and the classifiers; NaN equals itself only under =
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const z (_ FloatingPoint 5 11))
(declare-const w (_ FloatingPoint 5 11))
(assert (fp.isZero z))
(assert (= w (fp.div RNE z z)))
(assert (fp.eq w w))
(check-sat)
