; fp.fma rounds once; is NaN whatever the summand
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const z (_ FloatingPoint 3 4))
(assert (and (fp.isZero x) (fp.isInfinite y)))
(assert (not (fp.isNaN (fp.fma RTP x y z))))
(check-sat)
